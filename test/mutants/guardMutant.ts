import type { CouponGuard, SlotGuard } from '../model/guards.ts'
import type { Edit } from './mutate.ts'

/** A guard of the model taken away from the code. A guard that the code holds at several places has a mutant for each. */
export interface GuardMutant {
  /** What `--only` takes: lower-case words with hyphens, used once. */
  name: string
  guard: SlotGuard | CouponGuard
  /** All of them make one mutant. */
  edits: readonly Edit[]
  /** Test files, from the root of the repository: each fails on the mutant, and passes without it. */
  caughtBy: readonly string[]
  /** Why the guard is not the one piece of code that a reader would look for. */
  because?: string
}
