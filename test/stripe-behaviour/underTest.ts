import { it } from '@jest/globals'
import type Stripe from 'stripe'
import { openAccount } from './openAccount.ts'
import { openStandIn } from './openStandIn.ts'

/** The side a behaviour is shown on: a stand-in of its own, or a sandbox of Stripe. One small interface, so that no test knows which. */
export interface UnderTest {
  stripe: Stripe
  /** Prices of this file's own: 49.00 and 0.00 USD a month. */
  prices: { paid: string; free: string }
  /** Text that no other run uses, for ids and codes of one's own. */
  unique(name: string): string
  /** A customer, with this test card as the default where one is named; `clocked` ones can be moved in time by `advance`. */
  customerWith(card?: string, how?: { clocked?: boolean }): Promise<Stripe.Customer>
  coupon(params: Stripe.CouponCreateParams): Promise<Stripe.Coupon>
  promotionCode(params: Stripe.PromotionCodeCreateParams): Promise<Stripe.PromotionCode>
  /** Moves the time of a clocked customer on, and waits until everything due has happened. */
  advance(customer: string, seconds: number): Promise<void>
  /** Finishes a 3-D Secure step as the buyer would. Rejects where only a browser can: ask `supports` first. */
  authenticate(intent: string, outcome: 'succeed' | 'fail'): Promise<void>
  /** Deletes what can be deleted and archives the rest. */
  close(): Promise<void>
}

/** A card number that is set up and charged without trouble. */
export const goodCard = 'pm_card_visa'

const account = process.env.STRIPE_BEHAVIOUR === 'account'

/** What a side can do. Stripe lets nobody but a browser finish 3-D Secure. */
export const supports = { authentication: !account }

/** Opens the side under test: the stand-in, unless `npm run test:stripe` found a key and says `STRIPE_BEHAVIOUR=account`. */
export async function underTest(): Promise<UnderTest> {
  return account ? openAccount(process.env.STRIPE_SECRET_KEY ?? '') : openStandIn()
}

/** `it` where the side can, a skipped test where it cannot. */
export function itWhere(supported: boolean): typeof it | typeof it.skip {
  return supported ? it : it.skip
}
