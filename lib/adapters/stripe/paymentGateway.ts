import type Stripe from 'stripe'
import type { PaymentGateway } from '../../billing/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../log/logger.ts'
import { createCards } from './cards.ts'
import { createCatalog } from './catalog.ts'
import { createCustomers } from './customers.ts'
import { createInvoices } from './invoices.ts'
import { createPurchases } from './purchases.ts'
import { createGatewayCall } from './wireCall.ts'

/** The gateway `card` on Stripe's API: each purchase is charged to a card at once. */
export function createPaymentGateway(
  stripe: Stripe,
  clock: Clock,
  logger: Logger,
  call = createGatewayCall(logger),
): PaymentGateway {
  return {
    catalog: createCatalog(stripe, call, clock),
    customers: createCustomers(stripe, call, clock),
    purchases: createPurchases(stripe, call, clock),
    invoices: createInvoices(stripe, call, clock),
    cards: createCards(stripe, call),
  }
}
