import { describeGuarded, describeUnguarded } from './describeProtocol.ts'
import { switchGuards } from './guards.ts'
import { guardedSwitches, switchRemovals } from './removedGuards.ts'
import { switchProtocol } from './switchProtocol.ts'

const described = { subject: 'The switch between gateways', guarded: guardedSwitches }
const holds = 'holds every slot at the account’s gateway, on the terms of its claim,'
describeGuarded(described, holds, switchProtocol)
describeUnguarded(described, switchGuards, switchRemovals, switchProtocol)
