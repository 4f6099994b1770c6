import { describeUnguarded } from '../describeProtocol.ts'
import { slotProtocol } from '../slot/slotProtocol.ts'
import { assumptions, slotGuards } from './guards.ts'
import { guardedSlots, slotRemovals } from './removedGuards.ts'

// What it assumes of the gateway is taken away as a guard is.
const guards = [...slotGuards, ...assumptions]
describeUnguarded({ subject: 'The slot protocol', guarded: guardedSlots }, guards, slotRemovals, slotProtocol)
