import { answerMutants } from './answerMutants.ts'
import { companyMutants } from './companyMutants.ts'
import { costMutants } from './costMutants.ts'
import { couponMutants } from './couponMutants.ts'
import { deviceMutants } from './deviceMutants.ts'
import { eventMutants } from './eventMutants.ts'
import { factMutants } from './factMutants.ts'
import type { GuardMutant } from './guardMutant.ts'
import { invoiceMutants } from './invoiceMutants.ts'
import { providerMutants } from './providerMutants.ts'
import { purchaseMutants } from './purchaseMutants.ts'
import { recordMutants } from './recordMutants.ts'
import { selfServiceMutants } from './selfServiceMutants.ts'
import { surplusMutants } from './surplusMutants.ts'
import { switchMutants } from './switchMutants.ts'
import { takeoverMutants } from './takeoverMutants.ts'

/** Every guard of the purchase protocol and of devices without a browser, of events, of sign-in at providers and of companies, at every place where the code keeps it. */
export const guardMutants: readonly GuardMutant[] = [
  ...purchaseMutants,
  ...takeoverMutants,
  ...answerMutants,
  ...recordMutants,
  ...couponMutants,
  ...costMutants,
  ...surplusMutants,
  ...invoiceMutants,
  ...factMutants,
  ...selfServiceMutants,
  ...switchMutants,
  ...deviceMutants,
  ...eventMutants,
  ...providerMutants,
  ...companyMutants,
]
