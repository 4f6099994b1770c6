import { describeGuarded } from '../describeProtocol.ts'
import { switchProtocol } from '../switchProtocol.ts'
import { guardedSwitches } from './removedGuards.ts'

const holds = 'holds every slot at the account’s gateway, on the terms of its claim,'
describeGuarded({ subject: 'The switch between gateways', guarded: guardedSwitches }, holds, switchProtocol)
