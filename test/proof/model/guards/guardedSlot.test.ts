import { describeGuarded } from '../describeProtocol.ts'
import { slotProtocol } from '../slot/slotProtocol.ts'
import { guardedSlots } from './removedGuards.ts'

const guarded = guardedSlots.filter(({ bounds: { workers, hands } }) => workers === 1 && hands === 1)
const holds = 'keeps one live subscription, one charge and a true record'
describeGuarded({ subject: 'The slot protocol', guarded }, holds, slotProtocol)
