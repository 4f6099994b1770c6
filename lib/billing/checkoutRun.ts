import type { UserId } from '../core/ids.ts'
import type { CartCoupon } from './coupon.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { BillingAccount, BillingDeps, Price } from './ports.ts'

/** Whose purchase is completed, and by when it must be settled (Unix milliseconds). */
export interface PurchaseContext {
  readonly deps: BillingDeps
  readonly account: BillingAccount
  readonly deadline: number
}

/** One checkout request: who buys for which organization, and with what. */
export interface CheckoutContext extends PurchaseContext {
  readonly userId: UserId
  readonly paymentMethodId: string | undefined
  readonly couponCode: string | undefined
}

/** A checkout with what its cart needs: the prices and the coupon as found, and the customer, opened at most once. */
export interface CheckoutRun {
  readonly context: CheckoutContext
  readonly prices: GatewayAnswer<ReadonlyMap<string, Price>>
  readonly coupon: CartCoupon
  customer(): Promise<GatewayAnswer<string>>
}
