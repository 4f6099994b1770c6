import type Stripe from 'stripe'
import { voidInvoice } from '../invoices/invoices.ts'
import { changeSubscription, emit } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import type { Wire } from '../wire/wire.ts'

type Subscription = Wire<Stripe.Subscription>

/** Seconds a pending update waits for its payment (https://docs.stripe.com/billing/subscriptions/pending-updates). */
const pendingSeconds = 23 * 3600

/** Stores an update until its invoice is paid. Expires after 23 h, or earlier at the end of the period. */
export function storePendingUpdate(
  context: Context,
  subscription: Subscription,
  invoice: string,
  patch: Partial<Subscription>,
): Subscription {
  const ends = subscription.items.data.map((item) => item.current_period_end)
  const pending_update: Subscription['pending_update'] = {
    billing_cycle_anchor: patch.billing_cycle_anchor ?? null,
    cancel_at_period_end: patch.cancel_at_period_end ?? null,
    discount: null,
    discounts: patch.discounts ?? null,
    expires_at: Math.min(context.now + pendingSeconds, ...ends),
    metadata: patch.metadata ?? null,
    subscription_items: patch.items?.data ?? null,
    trial_end: patch.trial_end ?? null,
    trial_from_plan: null,
  }
  context.store.put('pending_updates', { id: subscription.id, invoice, patch })
  return changeSubscription(context, subscription, { pending_update, latest_invoice: invoice })
}

/** Applies the update that waited for this invoice, if any. */
export function applyPendingUpdate(context: Context, subscription: Subscription, invoice: string): Subscription {
  const held = context.store.get('pending_updates', subscription.id)
  if (held === undefined || held.invoice !== invoice) return subscription
  context.store.remove('pending_updates', subscription.id)
  const patch = { ...held.patch, pending_update: null }
  const applied = changeSubscription(context, subscription, patch)
  emit(context, 'customer.subscription.pending_update_applied', applied)
  return applied
}

/** Discards a pending update and voids its invoice. */
export function discardPendingUpdate(context: Context, subscription: Subscription): Subscription {
  const held = context.store.get('pending_updates', subscription.id)
  if (held === undefined) return subscription
  context.store.remove('pending_updates', subscription.id)
  const invoice = context.store.get('invoices', held.invoice)
  if (invoice?.status === 'open') voidInvoice(context, invoice)
  const dropped = changeSubscription(context, subscription, { pending_update: null })
  emit(context, 'customer.subscription.pending_update_expired', dropped)
  return dropped
}
