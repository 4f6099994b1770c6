import { fullStage, synthesizeStage } from '../stacks/synthesized.ts'

/** Production with everything that can be watched. Tests share it: it is synthesized once. */
export const synthesizeObservedStage = () => synthesizeStage(fullStage)
