import type Stripe from 'stripe'
import { draftInvoice } from '../invoices/draftInvoice.ts'
import { pendingItemLines } from '../invoices/invoiceItems.ts'
import { finalizeLater } from '../invoices/invoices.ts'
import { keepsDrafts } from '../invoices/pauseCollection.ts'
import { currentDiscounts, periodLines } from '../invoices/subscriptionPricing.ts'
import { change, changeSubscription } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import { inPeriod, periodEnd, periodFrom } from '../subscriptions/subscriptionItems.ts'
import { endTrialWithoutCard } from '../subscriptions/trialEnd.ts'
import type { Wire } from '../wire/wire.ts'

type Subscription = Wire<Stripe.Subscription>

/**
 * Starts the next period of a subscription when its period or trial is over: new periods, expired discounts dropped, and a draft invoice,
 * which is finalized and then charged or sent `draftSeconds` later. If the subscription is unpaid, or its paused collection keeps drafts,
 * it only collects drafts.
 */
export function renew(context: Context, subscription: Subscription): void {
  if (endTrialWithoutCard(context, subscription) !== undefined) return
  const items = subscription.items.data
  const period = periodFrom(subscription.billing_cycle_anchor, items, periodEnd(subscription))
  const renewed = inPeriod(items, period)
  const coupons = currentDiscounts(context, subscription.discounts)
  const next: Subscription = {
    ...subscription,
    discounts: coupons.map(({ discount }) => discount),
    items: { ...subscription.items, data: renewed },
    status: subscription.status === 'trialing' ? 'active' : subscription.status,
    ...(subscription.cancel_at_period_end && { cancel_at: period.end }),
  }
  const pending = context.store.get('pending_lines', subscription.id)?.lines ?? []
  context.store.remove('pending_lines', subscription.id)
  const terms = { pending: pendingItemLines(context, subscription) }
  const lines = [...pending, ...periodLines(context, renewed, coupons, period, terms)]
  const draft = draftInvoice(context, next, 'subscription_cycle', lines, {
    start: subscription.items.data[0]?.current_period_start ?? context.now,
    end: period.start,
  })
  if (subscription.status !== 'unpaid' && !keepsDrafts(subscription)) finalizeLater(context, draft)
  else change(context, 'invoices', draft, { auto_advance: false })
  changeSubscription(context, subscription, { ...next, latest_invoice: draft.id })
}
