import type Stripe from 'stripe'
import type { ParsedBy } from '../params/params.ts'
import type { Context } from '../state/context.ts'
import type { DraftLine } from '../state/state.ts'
import type { Wire } from '../wire/wire.ts'
import { unusedTime } from './itemChanges.ts'
import { endSubscription } from './subscriptionEnd.ts'
import type { cancelParams } from './subscriptionParams.ts'
import { draftUpdateInvoice, payUpdate } from './updateBilling.ts'

type Subscription = Wire<Stripe.Subscription>

/**
 * Ends a subscription and bills what is left: pending prorations and `lines`. If there are none, no invoice is written. The invoice is
 * written before the end, because the last event of the subscription names it.
 */
function endAndBill(
  context: Context,
  subscription: Subscription,
  lines: DraftLine[],
  end: (subscription: Subscription) => Subscription,
): Subscription {
  const waiting = context.store.get('pending_lines', subscription.id)?.lines ?? []
  if (waiting.length + lines.length === 0) return end(subscription)
  const draft = draftUpdateInvoice(context, subscription, lines)
  const ended = end({ ...subscription, latest_invoice: draft.id })
  payUpdate(context, ended, draft, { behavior: 'allow_incomplete', offSession: true })
  return context.store.get('subscriptions', ended.id) ?? ended
}

/**
 * Ends a subscription now. `prorate` credits the unused time, `invoice_now` bills it with all pending prorations. Without `invoice_now` the
 * credit stays a pending proration that no invoice takes up, as at Stripe (https://docs.stripe.com/api/subscriptions/cancel).
 */
export function cancelSubscription(
  context: Context,
  subscription: Subscription,
  sent: ParsedBy<typeof cancelParams>,
): Subscription {
  const end = (row: Subscription) => endSubscription(context, row, 'cancellation_requested', sent.cancellation_details)
  if (subscription.status === 'incomplete') return end(subscription)
  const credit = sent.prorate ? unusedTime(context, subscription, context.now) : []
  if (sent.invoice_now) return endAndBill(context, subscription, credit, end)
  const waiting = context.store.get('pending_lines', subscription.id)?.lines ?? []
  if (credit.length > 0) context.store.put('pending_lines', { id: subscription.id, lines: [...waiting, ...credit] })
  return end(subscription)
}

/** Ends a subscription at its scheduled time and bills its pending prorations. */
export function endScheduled(context: Context, subscription: Subscription): Subscription {
  return endAndBill(context, subscription, [], (row) => endSubscription(context, row, null))
}
