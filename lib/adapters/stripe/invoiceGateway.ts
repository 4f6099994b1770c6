import type Stripe from 'stripe'
import type { PaymentGateway } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../log/logger.ts'
import { sendInvoice } from './collections.ts'
import { createInvoices } from './invoices.ts'
import type { SalesSettings } from './paymentGateway.ts'
import { createPurchases } from './purchases.ts'
import { createScheduleRelease } from './scheduleRelease.ts'
import { createOwedInvoices } from './sentInvoices.ts'
import { createGatewayCall } from './wireCall.ts'

/**
 * The gateway `invoice` on Stripe's API: each purchase is granted at once and billed by invoices, which Stripe sends to
 * the customer and which are paid by bank transfer.
 * @param shared the parts of the gateway `card` of the same Stripe account
 */
export function createInvoiceGateway(
  stripe: Stripe,
  clock: Clock,
  logger: Logger,
  settings: SalesSettings,
  { catalog, customers }: Pick<PaymentGateway, 'catalog' | 'customers'>,
  call = createGatewayCall(logger),
): PaymentGateway {
  return {
    needs: ['name', 'email', 'address'],
    catalog,
    customers,
    purchases: createPurchases(stripe, call, clock, {
      ...settings,
      collect: sendInvoice,
      changeEnd: createScheduleRelease(stripe, call, logger),
    }),
    invoices: createInvoices(stripe, call, clock),
    cards: undefined,
    sentInvoices: createOwedInvoices(stripe, call, clock),
  }
}
