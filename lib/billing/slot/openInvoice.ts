import { requireOk } from '../gateway/gatewayFailure.ts'
import type { PaymentGateway, UnpaidInvoice } from '../gateway/gatewayPorts.ts'
import type { GatewaySubscription, PaymentOutcome, SubscriptionState } from '../gateway/subscription.ts'
import type { Payer } from './slot.ts'

const unpaidStates: readonly SubscriptionState[] = ['incomplete', 'past_due', 'unpaid']

/** Whether a payment is wanted for a subscription to become active, or active again. */
export function isUnpaid({ status }: Pick<GatewaySubscription, 'status'>): boolean {
  return unpaidStates.includes(status)
}

/**
 * The invoice that a payment is wanted for: the latest one where that is open, as it is but for an `unpaid` subscription, whose later
 * invoices stay drafts. Null where nothing is open.
 * @throws BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function openInvoiceOf(
  { invoices }: Pick<PaymentGateway, 'invoices'>,
  subscription: GatewaySubscription,
): Promise<UnpaidInvoice | null> {
  const { id, status, invoiceId, payment } = subscription
  if (!isUnpaid(subscription)) return null
  const isLatest = status === 'incomplete' || payment.kind !== 'none'
  if (isLatest) return invoiceId === null ? null : { id: invoiceId, isDraft: false, payment }
  return requireOk(await invoices.findUnpaidInvoice(id))
}

/** Whether the buyer is asked to authenticate the very card that this request names, or names none. */
export function waitsForCard(payment: PaymentOutcome, paymentMethodId: string | undefined): boolean {
  if (payment.kind !== 'requires_action') return false
  return paymentMethodId === undefined || paymentMethodId === payment.paymentMethodId
}

/** The idempotency key of one payment of a slot's open invoice: an invoice is never paid twice, whatever the key. */
export function paymentKey(
  { organizationId, product, n }: { organizationId: string; product: string; n: number },
  { owner }: Payer,
): string {
  return `pay:${organizationId}:${product}:${n}:${owner}`
}
