import { describeGuarded, describeUnguarded } from '../describeProtocol.ts'
import { switchProtocol } from '../switchProtocol.ts'
import { switchGuards } from './guards.ts'
import { guardedSwitches, switchRemovals } from './removedGuards.ts'

const subject = 'The switch between gateways'
const holds = 'holds every slot at the account’s gateway, on the terms of its claim,'
// guardedSwitch.deep.test.ts has the larger bounds: 250,000 states.
describeGuarded({ subject, guarded: [{ bounds: { workers: 2, switches: 2 } }] }, holds, switchProtocol)
describeUnguarded({ subject, guarded: guardedSwitches }, switchGuards, switchRemovals, switchProtocol)
