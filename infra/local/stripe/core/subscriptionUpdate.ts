import type Stripe from 'stripe'
import type { Context } from './context.ts'
import { invalidRequest, notCovered } from './errors.ts'
import { change } from './events.ts'
import type { Invoice } from './invoices.ts'
import { billNow, changedItems, prorations } from './itemChanges.ts'
import { mergeMetadata, type ParsedBy } from './params.ts'
import { usableMethod } from './paymentMethods.ts'
import { periodEnd } from './subscriptionItems.ts'
import type { updateParams } from './subscriptionParams.ts'
import { isEnded } from './subscriptionStatus.ts'
import type { Wire } from './wire.ts'

type Subscription = Wire<Stripe.Subscription>
type Item = Wire<Stripe.SubscriptionItem>

type Sent = ParsedBy<typeof updateParams>

function refuseFields(subscription: Subscription, sent: Sent): void {
  const names = Object.keys(sent)
  if (isEnded(subscription) && names.some((name) => name !== 'metadata' && name !== 'cancellation_details')) {
    const message = 'A canceled subscription can only update its cancellation_details and metadata.'
    throw invalidRequest(message, 'invalid_canceled_subscription_fields')
  }
  const foreign = names.find((name) => name !== 'metadata' && name !== 'cancellation_details')
  if (subscription.status === 'incomplete' && foreign !== undefined) {
    throw invalidRequest(
      'Only the metadata and default_source of an incomplete subscription can be updated.',
      undefined,
      foreign,
    )
  }
  if (sent.cancel_at !== undefined && sent.cancel_at_period_end !== undefined) {
    throw invalidRequest(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      'parameters_exclusive',
    )
  }
}

function cancelTime(context: Context, subscription: Subscription, sent: Sent): number | null | undefined {
  if (sent.cancel_at_period_end !== undefined) return sent.cancel_at_period_end ? periodEnd(subscription) : null
  if (typeof sent.cancel_at === 'number' && sent.cancel_at <= context.now) {
    throw invalidRequest('Invalid timestamp: must be an integer Unix timestamp in the future.', undefined, 'cancel_at')
  }
  if (sent.cancel_at === 'min_period_end')
    return Math.min(...subscription.items.data.map((item) => item.current_period_end))
  return typeof sent.cancel_at === 'string' ? periodEnd(subscription) : sent.cancel_at
}

function cancellation(context: Context, subscription: Subscription, sent: Sent): Partial<Subscription> {
  const at = cancelTime(context, subscription, sent)
  const before = subscription.cancellation_details
  const details = {
    comment:
      sent.cancellation_details?.comment === undefined ? (before?.comment ?? null) : sent.cancellation_details.comment,
    feedback:
      sent.cancellation_details?.feedback === undefined
        ? (before?.feedback ?? null)
        : sent.cancellation_details.feedback,
    feedback_option: null,
    reason: before?.reason ?? null,
  }
  if (at === undefined) return { cancellation_details: details }
  return {
    cancel_at: at,
    cancel_at_period_end: sent.cancel_at_period_end ?? false,
    canceled_at: at === null ? null : context.now,
    cancellation_details: { ...details, reason: at === null ? null : 'cancellation_requested' },
  }
}

/** Bills changed items as proration_behavior says: at once, on the next invoice (the default), or not at all. */
function bill(context: Context, subscription: Subscription, items: Item[], sent: Sent): Invoice | undefined {
  if (sent.payment_behavior === 'pending_if_incomplete') throw notCovered('payment_behavior=pending_if_incomplete')
  if (sent.proration_behavior === 'none') return undefined
  const lines = prorations(context, subscription, items)
  if (lines.length === 0) return undefined
  if (sent.proration_behavior === 'always_invoice') {
    return billNow(context, subscription, lines, sent.payment_behavior === 'error_if_incomplete')
  }
  const waiting = context.store.get('pending_lines', subscription.id)?.lines ?? []
  context.store.put('pending_lines', { id: subscription.id, lines: [...waiting, ...lines] })
  return undefined
}

/** Changes items, metadata, the card, payment settings or the planned end of a subscription. */
export function updateSubscription(context: Context, subscription: Subscription, sent: Sent): Subscription {
  refuseFields(subscription, sent)
  if (sent.default_payment_method != null) {
    usableMethod(context, sent.default_payment_method, subscription.customer, 'default_payment_method')
  }
  const items = sent.items && changedItems(context, subscription, sent.items)
  const settings = subscription.payment_settings
  const patch: Partial<Subscription> = {
    ...cancellation(context, subscription, sent),
    ...(sent.default_payment_method !== undefined && { default_payment_method: sent.default_payment_method }),
    ...(sent.description !== undefined && { description: sent.description }),
    ...(sent.payment_settings && {
      payment_settings: {
        payment_method_options: settings?.payment_method_options ?? null,
        payment_method_types: sent.payment_settings.payment_method_types ?? settings?.payment_method_types ?? null,
        save_default_payment_method:
          sent.payment_settings.save_default_payment_method ?? settings?.save_default_payment_method ?? 'off',
      },
    }),
    ...(items !== undefined && { items: { ...subscription.items, data: items } }),
    metadata: mergeMetadata(subscription.metadata, sent.metadata),
  }
  const invoice = items && bill(context, { ...subscription, ...patch, items: subscription.items }, items, sent)
  if (invoice !== undefined) patch.latest_invoice = invoice.id
  return change(context, 'subscriptions', subscription, patch, 'customer.subscription.updated')
}
