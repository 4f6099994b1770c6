import type Stripe from 'stripe'

/** An account that a behaviour is tested on: an emulator or a Stripe sandbox. No test distinguishes them but by `supports`. */
export interface TestAccount {
  stripe: Stripe
  /** Prices created for this test file: 49.00 and 0.00 USD a month. */
  prices: { paid: string; free: string }
  /** Text that no other run uses, for ids and codes. */
  unique(name: string): string
  /** A customer, with this test card as the default where one is named; `clocked` ones can be moved in time by `advance`. */
  customerWith(card?: string, how?: { clocked?: boolean }): Promise<Stripe.Customer>
  coupon(params: Stripe.CouponCreateParams): Promise<Stripe.Coupon>
  promotionCode(params: Stripe.PromotionCodeCreateParams): Promise<Stripe.PromotionCode>
  /** Moves the clock of a clocked customer forward, and resolves when everything due has happened. */
  advance(customer: string, seconds: number): Promise<void>
  /** Finishes a 3-D Secure step as the buyer would. Rejects where `supports.authentication` is false. */
  authenticate(intent: string, outcome: 'succeed' | 'fail'): Promise<void>
  /** Deletes what can be deleted and archives the rest. */
  close(): Promise<void>
}
