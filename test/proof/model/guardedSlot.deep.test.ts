import { describeGuardedSlots } from './describeGuardedSlots.ts'

// All but the smallest bounds: these reach some hundred thousand states each.
describeGuardedSlots(({ workers, hands }) => workers > 1 || hands === 0)
