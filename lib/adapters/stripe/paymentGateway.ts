import type Stripe from 'stripe'
import type { PaymentGateway } from '../../billing/ports.ts'
import type { Clock } from '../../core/clock.ts'
import { findCoupon } from './coupons.ts'
import { createCustomers } from './customers.ts'
import { createPayments } from './payments.ts'
import { createPriceList } from './prices.ts'
import { createSubscriptions } from './subscriptions.ts'

/** `PaymentGateway` on Stripe's API. */
export function createPaymentGateway(stripe: Stripe, clock: Clock): PaymentGateway {
  return {
    prices: createPriceList(stripe, clock),
    findCoupon: (code) => findCoupon(stripe, code),
    ...createCustomers(stripe),
    ...createSubscriptions(stripe, clock),
    ...createPayments(stripe),
  }
}
