import type Stripe from 'stripe'
import type { OwedInvoice, SentInvoices } from '../../billing/gateway/gatewayPorts.ts'
import type { PaymentOutcome } from '../../billing/gateway/subscription.ts'
import type { Clock } from '../../core/clock.ts'
import { type GatewayCall, noValue, readLimits } from './wireCall.ts'

/** The open invoices of a subscription, newest first, up to 100: eight years if invoiced monthly. */
export function listOpenInvoices(stripe: Stripe, subscription: string): Promise<Stripe.ApiList<Stripe.Invoice>> {
  return stripe.invoices.list({ subscription, status: 'open', limit: 100 })
}

/** They wait for the payment of the invoice that is due first. */
export function readOldestInvoice({ data: newestFirst }: Stripe.ApiList<Stripe.Invoice>): PaymentOutcome {
  const oldest = newestFirst.at(-1)
  return oldest ? { kind: 'invoice_open', hostedInvoiceUrl: oldest.hosted_invoice_url ?? null } : { kind: 'none' }
}

/** The SDK requires a bound. */
const EVERY_PAGE = { limit: 1000 }

/** `SentInvoices` on Stripe's API. */
export function createOwedInvoices(stripe: Stripe, callGateway: GatewayCall, clock: Clock): SentInvoices {
  return {
    listOwed(customer, limits) {
      const owed = { customer, status: 'open', collection_method: 'send_invoice', limit: 100 } as const
      return callGateway(
        () => stripe.invoices.list(owed).autoPagingToArray(EVERY_PAGE),
        (invoices) => invoices.map(readOwed),
        readLimits(clock, limits?.answerBy),
      )
    },

    writeOff: (invoiceId) => callGateway(() => stripe.invoices.markUncollectible(invoiceId), noValue),
  }
}

function readOwed({ id, amount_remaining: amount, currency, due_date: dueAt }: Stripe.Invoice): OwedInvoice {
  return { id, amount, currency, dueAt }
}
