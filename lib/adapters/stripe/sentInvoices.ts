import type Stripe from 'stripe'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type { Invoices, OwedInvoice, SentInvoices } from '../../billing/gateway/gatewayPorts.ts'
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

/**
 * `Invoices` that are sent to their customer, on Stripe's API: they remain payable after their subscription has ended.
 * So invoices that must not be paid are voided first, then payments are refunded.
 */
export function createSentInvoices(stripe: Stripe, callGateway: GatewayCall, invoices: Invoices): Invoices {
  async function voidOpen(subscription: string): Promise<GatewayAnswer<null>> {
    const open = await callGateway(
      () => listOpenInvoices(stripe, subscription),
      ({ data }) => data.map(({ id }) => id),
    )
    if (open.kind !== 'ok') return open
    for (const id of open.value) {
      const voided = await callGateway(() => stripe.invoices.voidInvoice(id), noValue)
      if (voided.kind !== 'ok') return voided
    }
    return { ...open, value: null }
  }

  return {
    ...invoices,
    async refundSubscription(subscriptionId) {
      const voided = await voidOpen(subscriptionId)
      return voided.kind === 'ok' ? invoices.refundSubscription(subscriptionId) : voided
    },
  }
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
