import type Stripe from 'stripe'
import type { PaymentOutcome } from '../../billing/subscription.ts'

/** What the open invoices of a subscription, sent to its customer, wait for: the payment of the one that is due first. */
export function readOldestInvoice({ data: newestFirst }: Stripe.ApiList<Stripe.Invoice>): PaymentOutcome {
  const oldest = newestFirst.at(-1)
  return oldest ? { kind: 'invoice_open', hostedInvoiceUrl: oldest.hosted_invoice_url ?? null } : { kind: 'none' }
}
