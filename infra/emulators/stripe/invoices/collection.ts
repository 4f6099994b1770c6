import type Stripe from 'stripe'
import { type Attempt, attemptPayment } from '../payments/paymentIntents.ts'
import { attach, markSetUp } from '../payments/paymentMethods.ts'
import { change, changeSubscription } from '../resources/events.ts'
import type { AccountSettings, Context } from '../state/context.ts'
import { applyPendingUpdate } from '../subscriptions/pendingUpdates.ts'
import { endSubscription } from '../subscriptions/subscriptionEnd.ts'
import type { Wire } from '../wire/wire.ts'
import { isSent } from './collectionTerms.ts'
import { finalizeInvoice, type Invoice, intentOf, paymentOf, recordFailedAttempt, settleInvoice } from './invoices.ts'

type Subscription = Wire<Stripe.Subscription>

/** The subscription an invoice bills. */
export function subscriptionOf(context: Context, invoice: Invoice): Subscription | undefined {
  const id = invoice.parent?.subscription_details?.subscription
  return id === undefined ? undefined : context.store.get('subscriptions', id)
}

/** The card that pays by itself: that of a subscription or an invoice, else the customer's default. */
export function defaultMethod(
  context: Context,
  payer: { default_payment_method: string | null; customer: string | null },
): string | null {
  const customer = payer.customer === null ? undefined : context.store.get('customers', payer.customer)
  const { default_source = null, invoice_settings } = customer ?? {}
  return payer.default_payment_method ?? invoice_settings?.default_payment_method ?? default_source
}

/** The card that pays an invoice by itself: its own, else that of its subscription, else the customer's default. */
export function methodOf(context: Context, invoice: Invoice): string | null {
  return invoice.default_payment_method ?? defaultMethod(context, subscriptionOf(context, invoice) ?? invoice)
}

/** Finalizes a draft. Its payment waits for the card to be charged or, if the invoice is sent, for the customer. */
export function finalizeDraft(context: Context, draft: Invoice): Invoice {
  if (isSent(draft)) return finalizeInvoice(context, draft, { method: null, save: false })
  const save = subscriptionOf(context, draft)?.payment_settings?.save_default_payment_method === 'on_subscription'
  return finalizeInvoice(context, draft, { method: methodOf(context, draft), save })
}

function keepCard(context: Context, intent: Wire<Stripe.PaymentIntent>): void {
  if (intent.setup_future_usage === null || intent.payment_method === null || intent.customer === null) return
  attach(context, intent.payment_method, intent.customer)
  markSetUp(context, intent.payment_method)
}

/** Whether a subscription is past due or unpaid although none of its invoices is due any more. A sent invoice is due when its due date comes. */
function owesNothing({ store, now }: Context, { id, status }: Subscription): boolean {
  const isDue = () =>
    store.all('invoices').some((row) => {
      const isOpen = row.parent?.subscription_details?.subscription === id && row.status === 'open'
      return isOpen && (row.due_date ?? now) <= now
    })
  return ['past_due', 'unpaid'].includes(status) && !isDue()
}

/** Makes the subscription of an invoice that was written off active again, unless another of its invoices is due. */
export function recover(context: Context, invoice: Invoice): void {
  const subscription = subscriptionOf(context, invoice)
  if (subscription === undefined || !owesNothing(context, subscription)) return
  changeSubscription(context, subscription, { status: 'active' })
}

function revive(context: Context, invoice: Invoice, method: string | null): void {
  const billed = subscriptionOf(context, invoice)
  if (billed === undefined) return
  const subscription = applyPendingUpdate(context, billed, invoice.id)
  const recovers = subscription.status === 'incomplete' || owesNothing(context, subscription)
  const saves = subscription.payment_settings?.save_default_payment_method === 'on_subscription' && method !== null
  const patch = { ...(recovers && { status: 'active' as const }), ...(saves && { default_payment_method: method }) }
  changeSubscription(context, subscription, patch)
}

/** Applies an attempt's outcome to the invoice and its subscription. */
export function followAttempt(context: Context, attempt: Attempt): void {
  const terms = context.store.get('payment_terms', attempt.intent.id)
  const invoice = terms === undefined ? undefined : context.store.get('invoices', terms.invoice)
  if (invoice === undefined) return
  if (attempt.result === 'requires_action') {
    recordFailedAttempt(context, invoice, {}, ['invoice.payment_action_required', 'invoice.payment_failed'])
    return
  }
  if (attempt.result === 'declined') {
    const actionRequired = attempt.error.code === 'authentication_required'
    const types = [
      'invoice.payment_failed' as const,
      ...(actionRequired ? ['invoice.payment_action_required' as const] : []),
    ]
    recordFailedAttempt(context, invoice, { attempt_count: invoice.attempt_count + 1 }, types)
    return
  }
  keepCard(context, attempt.intent)
  settleInvoice(context, { ...invoice, attempt_count: invoice.attempt_count + 1 })
  revive(context, invoice, attempt.intent.payment_method)
}

/** Updates the subscription after its invoice was paid without a charge. */
export function applySettlement(context: Context, id: string): void {
  const invoice = context.store.get('invoices', id)
  if (invoice?.status === 'paid') revive(context, invoice, null)
}

/** Charges a card for an open invoice and applies the outcome to the invoice and its subscription. */
export function collect(
  context: Context,
  invoice: Invoice,
  method: string,
  how: { offSession: boolean; buyerCanReturn: boolean },
): Attempt {
  const intent = intentOf(context, invoice.id)
  if (intent === undefined)
    throw new Error(`invoice ${invoice.id} has no payment (${paymentOf(context, invoice.id)?.status})`)
  const attempt = attemptPayment(context, intent, method, how)
  followAttempt(context, attempt)
  return attempt
}

/** Gives up on a subscription that was not paid: the account's settings name the status. */
export function giveUp(context: Context, subscription: Subscription, status: AccountSettings['afterRetries']): void {
  if (status === 'canceled') endSubscription(context, subscription, 'payment_failed')
  else changeSubscription(context, subscription, { status })
}

/** Plans the next attempt at an invoice that could not be paid; false when there will be none. */
export function planRetry(context: Context, id: string): boolean {
  const invoice = context.store.get('invoices', id)
  const wait = invoice && context.settings.retryDays[invoice.attempt_count - 1]
  if (invoice === undefined) return false
  change(context, 'invoices', invoice, {
    next_payment_attempt: wait === undefined ? null : context.now + wait * 86_400,
  })
  return wait !== undefined
}

/**
 * An automatic attempt at an invoice. If it fails, the next attempt is planned, and the subscription of the invoice is past_due until it
 * is paid.
 */
export function collectInvoice(context: Context, id: string): void {
  const invoice = context.store.get('invoices', id)
  if (invoice?.status !== 'open') return
  const method = methodOf(context, invoice)
  if (
    method !== null &&
    collect(context, invoice, method, { offSession: true, buyerCanReturn: false }).result === 'succeeded'
  )
    return
  if (method === null) {
    recordFailedAttempt(context, invoice, { attempt_count: invoice.attempt_count + 1 }, ['invoice.payment_failed'])
  }
  const retries = planRetry(context, id)
  const current = subscriptionOf(context, invoice)
  if (current === undefined) return
  if (!retries) giveUp(context, current, context.settings.afterRetries)
  else if (current.status === 'active') changeSubscription(context, current, { status: 'past_due' })
}
