import type Stripe from 'stripe'
import { voidInvoice } from '../invoices/invoices.ts'
import { given, type ParsedBy } from '../params/params.ts'
import { change, changeSubscription } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import type { Wire } from '../wire/wire.ts'
import { discardPendingUpdate } from './pendingUpdates.ts'
import type { cancelParams } from './subscriptionParams.ts'
import { endSchedule } from './subscriptionSchedules.ts'

type Subscription = Wire<Stripe.Subscription>
type Reason = 'cancellation_requested' | 'payment_failed' | null

/** The noted details of a cancellation with what was sent. If `reason` is null, the noted reason stays. */
export function cancellationDetails(
  { cancellation_details: noted }: Subscription,
  sent: ParsedBy<typeof cancelParams>['cancellation_details'],
  reason: Reason,
): NonNullable<Subscription['cancellation_details']> {
  const before = { comment: null, feedback: null, ...noted }
  return { ...before, ...given(sent ?? {}), feedback_option: null, reason: reason ?? noted?.reason ?? null }
}

function stopCollecting(context: Context, subscription: Subscription): void {
  for (const invoice of context.store.all('invoices')) {
    if (invoice.parent?.subscription_details?.subscription !== subscription.id) continue
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    change(context, 'invoices', invoice, {
      auto_advance: false,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
    })
  }
}

/** Expires an incomplete subscription whose 23 h are over and voids its open invoice. Emits `customer.subscription.updated`. */
export function expireSubscription(context: Context, subscription: Subscription): Subscription {
  const invoice =
    subscription.latest_invoice === null ? undefined : context.store.get('invoices', subscription.latest_invoice)
  if (invoice?.status === 'open') voidInvoice(context, invoice)
  return markExpired(context, subscription)
}

function markExpired(context: Context, subscription: Subscription): Subscription {
  return changeSubscription(context, subscription, {
    status: 'incomplete_expired',
    ended_at: context.now,
    canceled_at: context.now,
    cancel_at: null,
    cancel_at_period_end: false,
  })
}

/**
 * Ends a subscription now. If it is incomplete, it expires. Otherwise it becomes `canceled` (`customer.subscription.deleted`), and its
 * unpaid invoices are no longer collected. If `reason` is null, the noted reason stays.
 */
export function endSubscription(
  context: Context,
  subscription: Subscription,
  reason: Reason,
  sent: ParsedBy<typeof cancelParams>['cancellation_details'] = {},
): Subscription {
  if (subscription.status === 'incomplete' && context.settings.cancelIncomplete === 'voids')
    return expireSubscription(context, subscription)
  stopCollecting(context, subscription)
  if (subscription.status === 'incomplete') return markExpired(context, subscription)
  discardPendingUpdate(context, subscription)
  endSchedule(context, subscription)
  return change(
    context,
    'subscriptions',
    subscription,
    {
      status: 'canceled',
      canceled_at: subscription.canceled_at ?? context.now,
      ended_at: context.now,
      cancel_at_period_end: false,
      pending_update: null,
      cancellation_details: cancellationDetails(subscription, sent, reason),
    },
    'customer.subscription.deleted',
  )
}
