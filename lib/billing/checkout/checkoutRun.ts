import type { PrincipalId } from '../../core/ids.ts'
import type { NeededDetails } from '../customer/neededDetails.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Price } from '../gateway/gatewayPorts.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import type { CartCoupon } from './coupon.ts'

/** Whose purchase is completed, and by when it must be settled (Unix milliseconds). */
export interface PurchaseContext {
  readonly deps: BillingDeps
  readonly account: BillingAccount
  readonly deadline: number
}

/** One checkout request: who buys for which organization, and with what. */
export interface CheckoutContext extends PurchaseContext {
  readonly userId: PrincipalId
  readonly paymentMethodId: string | undefined
  readonly couponCode: string | undefined
}

/**
 * Whether a purchase may be paid: with a card that the request names or that the organization's customer has, or because a
 * coupon may leave nothing to pay. Without any of these no customer is created for it. A gateway without cards asks for none.
 */
export function canPay({
  deps,
  paymentMethodId,
  account,
  couponCode,
}: Pick<CheckoutContext, 'paymentMethodId' | 'account' | 'couponCode'> & {
  deps: Pick<BillingDeps, 'gateways'>
}): boolean {
  if (gatewayOf(deps.gateways, account).cards === undefined) return true
  return paymentMethodId !== undefined || account.customer !== undefined || couponCode !== undefined
}

/** A checkout with what its cart needs: the prices and the coupon as found, and the customer, opened at most once. */
export interface CheckoutRun {
  readonly context: CheckoutContext
  readonly prices: GatewayAnswer<ReadonlyMap<string, Price>>
  readonly coupon: CartCoupon
  readonly details: NeededDetails
  customer(): Promise<GatewayAnswer<string>>
}
