import type Stripe from 'stripe'
import type { PaymentGateway } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../log/logger.ts'
import { createCards } from './cards.ts'
import { createCatalog } from './catalog.ts'
import { chargeCard } from './collections.ts'
import { createCustomers } from './customers.ts'
import { createInvoices } from './invoices.ts'
import { createPurchases } from './purchases.ts'
import { createScheduleRelease } from './scheduleRelease.ts'
import { createGatewayCall } from './wireCall.ts'

/** The settings of a stage for its sales. */
export interface SalesSettings {
  /** Whether Stripe computes tax and adds it (Stripe Tax): then a purchase needs its customer's address. */
  automaticTax: boolean
}

/** The gateway `card` on Stripe's API: each purchase is charged to a card at once. */
export function createPaymentGateway(
  stripe: Stripe,
  clock: Clock,
  logger: Logger,
  settings: SalesSettings,
  call = createGatewayCall(logger),
): PaymentGateway {
  return {
    needs: settings.automaticTax ? ['address'] : [],
    catalog: createCatalog(stripe, call, clock),
    customers: createCustomers(stripe, call, clock),
    purchases: createPurchases(stripe, call, clock, {
      ...settings,
      collect: chargeCard,
      changeEnd: createScheduleRelease(stripe, call, logger),
    }),
    invoices: createInvoices(stripe, call, clock),
    cards: createCards(stripe, call, clock),
    sentInvoices: undefined,
  }
}
