import type Stripe from 'stripe'
import { collect, defaultMethod } from '../invoices/collection.ts'
import { isSent, requireEmail } from '../invoices/collectionTerms.ts'
import { draftInvoice } from '../invoices/draftInvoice.ts'
import { pendingItemLines, requireOneCurrency } from '../invoices/invoiceItems.ts'
import { finalizeInvoice, finalizeLater, type Invoice } from '../invoices/invoices.ts'
import { demandSuccess, missingMethod } from '../invoices/paymentDemand.ts'
import { currentDiscounts, periodLines } from '../invoices/subscriptionPricing.ts'
import type { ParsedBy } from '../params/params.ts'
import { plainTerms } from '../payments/intents.ts'
import { usableMethod } from '../payments/paymentMethods.ts'
import { openSetup } from '../payments/setupIntents.ts'
import { redeem, wantedDiscounts } from '../resources/discounts.ts'
import { emit } from '../resources/events.ts'
import { requireRow } from '../resources/requireRow.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { newSubscription, trialEnd } from './newSubscription.ts'
import { subtotalOf, wantedItems } from './subscriptionItems.ts'
import type { createParams } from './subscriptionParams.ts'

type Subscription = Wire<Stripe.Subscription>
type Sent = ParsedBy<typeof createParams>

function setupFor(context: Context, subscription: Subscription): Subscription {
  if (isSent(subscription) || defaultMethod(context, subscription) !== null) return subscription
  const { customer } = subscription
  const setup = openSetup(context, { ...plainTerms, customer, method: null, usage: 'off_session' })
  return { ...subscription, pending_setup_intent: setup.id }
}

/** Throws a 400 if the prices do not have the currency, or if the customer is billed in another. */
function checkCurrency(
  context: Context,
  { currency, customer }: Subscription,
  asked: string | undefined,
  at: string,
): void {
  if (asked !== undefined && asked.toLowerCase() !== currency) {
    const message = `The price specified only supports \`${currency}\`. This doesn't match the expected currency: \`${asked}\`.`
    throw invalidRequest(message, undefined, `${at}[0][price]`)
  }
  requireOneCurrency(context, customer, currency)
}

/** A subscription that is not stored yet, and its first invoice as a draft. */
interface SubscriptionDraft {
  subscription: Subscription
  invoice: Invoice
}

/**
 * Writes the first invoice of a new subscription as a draft and redeems its discounts: what a creation charges and a preview shows.
 * Refusals name the items under `at`.
 */
export function draftSubscription(context: Context, sent: Sent, at = 'items'): SubscriptionDraft {
  const items = wantedItems(context, sent.items, at)
  const draft = newSubscription(context, sent, items, trialEnd(context, sent))
  checkCurrency(context, draft, sent.currency, at)
  const target = { ...draft, subtotal: subtotalOf(items) }
  const redeemed = wantedDiscounts(context, sent.discounts, target).map((wanted) =>
    redeem(context, wanted, sent.customer, draft.id),
  )
  const discounts = redeemed.map((discount) => discount.id)
  const subscription = { ...draft, discounts }
  const { current_period_start: start = context.now, current_period_end: end = context.now } = draft.items.data[0] ?? {}
  const coupons = currentDiscounts(context, discounts)
  const terms = { trial: draft.trial_end !== null, pending: pendingItemLines(context, draft) }
  const lines = periodLines(context, draft.items.data, coupons, { start, end }, terms)
  const period = { start: context.now, end: context.now }
  return { subscription, invoice: draftInvoice(context, subscription, 'subscription_create', lines, period) }
}

/**
 * Creates a subscription and, unless its payment_behavior says otherwise, pays the first invoice at once. If its invoices are sent, the
 * subscription is active at once, and its first invoice is a draft like that of a renewal.
 */
export function createSubscription(context: Context, sent: Sent): Subscription {
  const behavior = sent.payment_behavior ?? 'allow_incomplete'
  if (behavior === 'pending_if_incomplete') {
    const message = 'payment_behavior=pending_if_incomplete is for updates only.'
    throw invalidRequest(message, undefined, 'payment_behavior')
  }
  requireRow(context, 'customers', sent.customer, 'customer')
  if (sent.default_payment_method !== undefined) {
    usableMethod(context, sent.default_payment_method, sent.customer, 'default_payment_method')
  }
  const { subscription: draft, invoice } = draftSubscription(context, sent)
  const method = defaultMethod(context, draft)
  const sends = isSent(draft)
  if (sends) requireEmail(context, draft.customer)
  const charges = !sends && invoice.amount_due > 0 && behavior !== 'default_incomplete'
  if (charges && method === null) throw missingMethod(context)
  const opened =
    invoice.amount_due > 0 && !sends
      ? draft
      : setupFor(context, { ...draft, status: draft.trial_end === null ? 'active' : 'trialing' })
  const subscription = { ...opened, latest_invoice: invoice.id }
  context.store.put('subscriptions', subscription)
  emit(context, 'customer.subscription.created', subscription)
  if (sends && subscription.trial_end === null) {
    finalizeLater(context, invoice)
    return subscription
  }

  const save = sent.payment_settings?.save_default_payment_method === 'on_subscription'
  const open = finalizeInvoice(context, invoice, { method, save })
  if (charges && method !== null) {
    const attempt = collect(context, open, method, { offSession: sent.off_session ?? false, buyerCanReturn: true })
    if (behavior === 'error_if_incomplete') demandSuccess(attempt)
  }
  return context.store.get('subscriptions', subscription.id) ?? subscription
}
