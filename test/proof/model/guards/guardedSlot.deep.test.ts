import { describeGuarded } from '../describeProtocol.ts'
import { slotProtocol } from '../slot/slotProtocol.ts'
import { guardedSlots } from './removedGuards.ts'

// All but the smallest bounds: these reach some hundred thousand states each.
const guarded = guardedSlots.filter(({ bounds: { workers, hands } }) => workers > 1 || hands === 0)
const holds = 'keeps one live subscription, one charge and a true record'
describeGuarded({ subject: 'The slot protocol', guarded }, holds, slotProtocol)
