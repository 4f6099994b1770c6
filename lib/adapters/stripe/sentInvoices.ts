import type Stripe from 'stripe'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type { Invoices } from '../../billing/gateway/gatewayPorts.ts'
import type { PaymentOutcome } from '../../billing/gateway/subscription.ts'
import type { GatewayCall } from './wireCall.ts'

/** The open invoices of a subscription, newest first, up to 100: those of eight years, at one a month. */
export function listOpenInvoices(stripe: Stripe, subscription: string): Promise<Stripe.ApiList<Stripe.Invoice>> {
  return stripe.invoices.list({ subscription, status: 'open', limit: 100 })
}

/** What they wait for: the payment of the one that is due first. */
export function readOldestInvoice({ data: newestFirst }: Stripe.ApiList<Stripe.Invoice>): PaymentOutcome {
  const oldest = newestFirst.at(-1)
  return oldest ? { kind: 'invoice_open', hostedInvoiceUrl: oldest.hosted_invoice_url ?? null } : { kind: 'none' }
}

/**
 * `Invoices` that are sent to their customer, on Stripe's API: they remain payable after their subscription has ended. So what must not
 * be paid is voided, and then what was paid is refunded.
 */
export function createSentInvoices(stripe: Stripe, callGateway: GatewayCall, invoices: Invoices): Invoices {
  async function voidOpen(subscription: string): Promise<GatewayAnswer<null>> {
    const open = await callGateway(
      () => listOpenInvoices(stripe, subscription),
      ({ data }) => data.map(({ id }) => id),
    )
    if (open.kind !== 'ok') return open
    for (const id of open.value) {
      const voided = await callGateway(
        () => stripe.invoices.voidInvoice(id),
        () => null,
      )
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
