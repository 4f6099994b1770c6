import { answerMutants } from './answerMutants.ts'
import { couponMutants } from './couponMutants.ts'
import type { GuardMutant } from './guardMutant.ts'
import { purchaseMutants } from './purchaseMutants.ts'
import { recordMutants } from './recordMutants.ts'

/** Every guard marked **G** in the protocol, at every place where the code keeps it. */
export const guardMutants: readonly GuardMutant[] = [
  ...purchaseMutants,
  ...answerMutants,
  ...recordMutants,
  ...couponMutants,
]
