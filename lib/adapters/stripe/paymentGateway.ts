import type Stripe from 'stripe'
import type { PaymentGateway } from '../../billing/ports.ts'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../log/logger.ts'
import { findCoupon } from './coupons.ts'
import { createCustomers } from './customers.ts'
import { createPayments } from './payments.ts'
import { createPriceList } from './prices.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createGatewayCall } from './wireCall.ts'

/** `PaymentGateway` on Stripe's API. */
export function createPaymentGateway(
  stripe: Stripe,
  clock: Clock,
  logger: Logger,
  call = createGatewayCall(logger),
): PaymentGateway {
  return {
    prices: createPriceList(stripe, call, clock),
    findCoupon: (code) => findCoupon(stripe, call, code),
    ...createCustomers(stripe, call),
    ...createSubscriptions(stripe, call, clock),
    ...createPayments(stripe, call),
  }
}
