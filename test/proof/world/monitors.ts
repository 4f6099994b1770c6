import type { StripeCore } from 'stripe-emulator'
import { stripeStatusSchema } from '../../../lib/adapters/stripe/readSubscription.ts'
import { isEnded } from '../../../lib/billing/gateway/subscription.ts'
import type { WireRequest } from './worldFetch.ts'

type Books = ReturnType<StripeCore['control']['state']>

/**
 * The rules that hold at the gateway after every write, whatever failed before. Answers the broken ones, in words.
 * @param others ids of another organization, its customer and its subscriptions included: none may be written to
 */
export function brokenRules(
  core: StripeCore,
  request: WireRequest,
  answer: { status: number; body: string },
  others: readonly string[],
): string[] {
  const books = core.control.state()
  return [
    ...books.violations.map(({ rule, message }) => `${rule}: ${message}`),
    ...oneHoldsSlot(books),
    ...oneChargeAPurchase(books),
    ...oneInvoiceAPurchase(books),
    ...couponOnce(books),
    ...(answer.body.includes('idempotency_error')
      ? [`not the frozen request: ${request.headers['idempotency-key']}`]
      : []),
    ...others.flatMap((id) => (names(request, id) ? [`${request.method} ${request.path} names ${id}`] : [])),
  ]
}

function names({ path, headers, body }: WireRequest, id: string): boolean {
  return path.includes(id) || body.includes(id) || (headers['idempotency-key'] ?? '').includes(id)
}

/** At most one subscription of a slot that has not ended: a second one could still be paid, even where it is not live yet. */
function oneHoldsSlot({ subscriptions }: Books): string[] {
  const named = subscriptions.filter(({ metadata }) => isNamed(metadata))
  const held = named.filter(({ status }) => !hasEnded(status)).map(({ metadata }) => slotOf(metadata))
  return repeated(held).map((slot) => `${slot} is held by two subscriptions`)
}

/** One succeeded charge for the first invoices of a purchase, however many subscriptions carry its number. */
function oneChargeAPurchase({ subscriptions, invoices, charges, payment_intents: intents }: Books): string[] {
  const paid = invoices.flatMap(({ id, billing_reason, amount_paid, parent }) => {
    const subscriptionId = parent?.subscription_details?.subscription
    if (billing_reason !== 'subscription_create' || amount_paid === 0) return []
    const bought = subscriptions.find((subscription) => subscription.id === subscriptionId)
    return bought && isNamed(bought.metadata)
      ? [{ id, purchase: `${slotOf(bought.metadata)} n=${bought.metadata.n}` }]
      : []
  })
  const succeeded = charges.filter(({ status }) => status === 'succeeded').length
  const twice = repeated(paid.map(({ purchase }) => purchase)).map((purchase) => `${purchase} was charged twice`)
  return succeeded > intents.length ? [...twice, 'more charges than payments'] : twice
}

/** One first invoice of a purchase that was paid or is payable, where they are sent: an open one is money as well. */
function oneInvoiceAPurchase({ subscriptions, invoices }: Books): string[] {
  const owed = subscriptions.flatMap(({ id, metadata }) => {
    const first = isNamed(metadata) ? invoices.filter((invoice) => isFirstOf(id, invoice) && isSent(invoice)) : []
    return first.filter(isOwed).map(() => `${slotOf(metadata)} n=${metadata.n}`)
  })
  return repeated(owed).map((purchase) => `${purchase} was invoiced twice`)
}

type Invoice = Books['invoices'][number]

const isSent = ({ collection_method }: Pick<Invoice, 'collection_method'>) => collection_method === 'send_invoice'

/** Whether an invoice was paid or may be: a draft that will not be finalized by itself is not. */
export function isOwed({ status, automatically_finalizes_at: finalizes }: Invoice): boolean {
  return status === 'draft' ? finalizes !== null : status !== 'void'
}

export function isFirstOf(subscription: string, { billing_reason, parent }: Invoice): boolean {
  return billing_reason === 'subscription_create' && parent?.subscription_details?.subscription === subscription
}

/** A coupon and user have one subscription with its discount that was paid or may still be. */
function couponOnce({ subscriptions, invoices, discounts }: Books): string[] {
  const used = subscriptions.flatMap(({ id, status, metadata }) => {
    const first = invoices.find((invoice) => isFirstOf(id, invoice))
    const isPaid = first?.status === 'paid' || (first && isSent(first) && isOwed(first))
    if (hasEnded(status) && !isPaid) return []
    const own = discounts.filter((discount) => discount.subscription === id)
    return own.map(({ source }) => `${String(source.coupon)} of ${metadata.user_id}`)
  })
  return repeated(used).map((coupon) => `the coupon ${coupon} was applied twice`)
}

const hasEnded = (status: string) => isEnded(stripeStatusSchema.parse(status))

/** Whether it names a slot: what a person creates or edits in the Dashboard may not. */
const isNamed = (metadata: Record<string, string>) => metadata.organization_id !== undefined

function slotOf(metadata: Record<string, string>): string {
  return `${metadata.product} of ${metadata.organization_id}`
}

function repeated(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))]
}
