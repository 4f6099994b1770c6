import { describeGuardedSlots } from './describeGuardedSlots.ts'

describeGuardedSlots(({ workers, hands }) => workers === 1 && hands === 1)
