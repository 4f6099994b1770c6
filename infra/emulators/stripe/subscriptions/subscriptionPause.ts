import type Stripe from 'stripe'
import { collect, defaultMethod } from '../invoices/collection.ts'
import { isSent } from '../invoices/collectionTerms.ts'
import { draftInvoice } from '../invoices/draftInvoice.ts'
import { pendingItemLines } from '../invoices/invoiceItems.ts'
import { finalizeInvoice, finalizeLater } from '../invoices/invoices.ts'
import { currentDiscounts, periodLines } from '../invoices/subscriptionPricing.ts'
import * as p from '../params/params.ts'
import { changeSubscription, emit, previousAttributes } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { inPeriod, periodFrom } from './subscriptionItems.ts'

type Subscription = Wire<Stripe.Subscription>

/** Parameters of https://docs.stripe.com/api/subscriptions/pause. */
export const pauseParams = p.paramsFor<Stripe.SubscriptionPauseParams>()(
  { type: p.word(['subscription']).optional() },
  ['bill_for', 'invoicing_behavior'],
)

/** Parameters of https://docs.stripe.com/api/subscriptions/resume. */
export const resumeParams = p.paramsFor<Stripe.SubscriptionResumeParams>()(
  {
    billing_cycle_anchor: p.nested({ type: p.word(['now', 'unchanged']) }).optional(),
    payment_behavior: p.word(['resume_on_payment_attempt', 'resume_on_payment_success']).optional(),
    proration_behavior: p.word(['always_invoice', 'create_prorations', 'none']).optional(),
  },
  ['proration_date'],
)

/** Pauses a subscription for the reason given; nothing is billed until it is resumed. */
export function pauseSubscription(
  context: Context,
  subscription: Subscription,
  reason: 'pause_requested' | 'trial_end_without_payment_method',
): Subscription {
  if (!['active', 'past_due', 'trialing'].includes(subscription.status)) {
    throw invalidRequest(`A subscription that is ${subscription.status} cannot be paused.`)
  }
  const paused: Subscription = {
    ...subscription,
    status: 'paused',
    status_details: { paused: { subscription: { type: reason }, transitioned_at: context.now, type: 'subscription' } },
  }
  context.store.put('subscriptions', paused)
  emit(context, 'customer.subscription.paused', paused)
  emit(context, 'customer.subscription.updated', paused, previousAttributes(subscription, paused))
  return paused
}

/** Resumes a paused subscription: a new cycle starts now and is charged at once (past_due when that fails), or its invoice is sent. */
export function resumeSubscription(
  context: Context,
  subscription: Subscription,
  sent: p.ParsedBy<typeof resumeParams>,
): Subscription {
  if (subscription.status !== 'paused') throw invalidRequest('You can only resume a subscription if it is `paused`.')
  const { status_details: _paused, ...rest } = subscription
  const period = periodFrom(context.now, rest.items.data, context.now)
  const items = inPeriod(rest.items.data, period)
  const keeps = sent.billing_cycle_anchor?.type === 'unchanged'
  const cycle = keeps ? {} : { billing_cycle_anchor: context.now, items: { ...rest.items, data: items } }
  const active: Subscription = { ...rest, ...cycle, status: 'active' }
  if (keeps) return wake(context, subscription, active)
  const lines = periodLines(context, items, currentDiscounts(context, rest.discounts), period, {
    pending: pendingItemLines(context, subscription),
  })
  const draft = draftInvoice(context, active, 'subscription_cycle', lines, { start: context.now, end: context.now })
  if (isSent(active)) {
    finalizeLater(context, draft)
    return wake(context, subscription, { ...active, latest_invoice: draft.id })
  }
  const method = defaultMethod(context, subscription)
  const invoice = finalizeInvoice(context, draft, { method, save: false })
  const resumed = wake(context, subscription, { ...active, latest_invoice: invoice.id })
  if (invoice.status !== 'open') return resumed
  const paid =
    method !== null &&
    collect(context, invoice, method, { offSession: true, buyerCanReturn: true }).result === 'succeeded'
  const now = context.store.get('subscriptions', subscription.id) ?? resumed
  return paid ? now : changeSubscription(context, now, { status: 'past_due' })
}

function wake(context: Context, before: Subscription, after: Subscription): Subscription {
  context.store.put('subscriptions', after)
  emit(context, 'customer.subscription.resumed', after)
  emit(context, 'customer.subscription.updated', after, previousAttributes(before, after))
  return after
}
