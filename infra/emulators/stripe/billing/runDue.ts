import { collectInvoice, finalizeDraft, subscriptionOf } from '../invoices/collection.ts'
import { isSent } from '../invoices/collectionTerms.ts'
import { endPausedInvoice } from '../invoices/pauseCollection.ts'
import { type Due, sendInvoice, sentInvoiceDues } from '../invoices/sentInvoices.ts'
import { endRefund, refundEndsAt } from '../payments/refunds.ts'
import { eventsKeptSeconds } from '../resources/eventRoutes.ts'
import { changeSubscription } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import type { Tables } from '../state/state.ts'
import { discardPendingUpdate } from '../subscriptions/pendingUpdates.ts'
import { endScheduled } from '../subscriptions/subscriptionCancel.ts'
import { expireSubscription } from '../subscriptions/subscriptionEnd.ts'
import { periodEnd } from '../subscriptions/subscriptionItems.ts'
import { releaseSchedule } from '../subscriptions/subscriptionSchedules.ts'
import { isLive } from '../subscriptions/subscriptionStatus.ts'
import { pruneKeys } from '../wire/idempotency.ts'
import { type DueTimes, openDueTimes } from './dueTimes.ts'
import { renew } from './renewal.ts'

/** Seconds in which the first payment of a subscription must succeed. */
const incompleteSeconds = 23 * 3600

/** Falls due at `at`; never if that is null. */
function dueAt(at: number | null | undefined, run: Due['run']): Due[] {
  return at == null ? [] : [{ at, run }]
}

function subscriptionDues(_context: Context, subscription: Tables['subscriptions']): Due[] {
  const { status, created, pending_update, pause_collection, cancel_at } = subscription
  if (status === 'incomplete')
    return dueAt(created + incompleteSeconds, (context) => expireSubscription(context, subscription))
  if (!isLive(subscription)) return []
  const renews = status === 'paused' ? null : periodEnd(subscription)
  return [
    ...dueAt(pending_update?.expires_at, (context) => discardPendingUpdate(context, subscription)),
    ...dueAt(pause_collection?.resumes_at, (context) =>
      changeSubscription(context, subscription, { pause_collection: null }),
    ),
    ...dueAt(cancel_at, (context) => endScheduled(context, subscription)),
    ...dueAt(renews, (context) => renew(context, subscription)),
  ]
}

function finalizeAndCollect(context: Context, id: string): void {
  const draft = context.store.get('invoices', id)
  if (draft === undefined) return
  const invoice = finalizeDraft(context, draft)
  if (endPausedInvoice(context, invoice, subscriptionOf(context, draft))) return
  if (invoice.status !== 'open') return
  if (isSent(invoice)) sendInvoice(context, invoice)
  else collectInvoice(context, id)
}

function invoiceDues(_context: Context, invoice: Tables['invoices']): Due[] {
  const { id, status, automatically_finalizes_at, next_payment_attempt } = invoice
  if (status === 'draft') return dueAt(automatically_finalizes_at, (context) => finalizeAndCollect(context, id))
  return dueAt(status === 'open' ? next_payment_attempt : null, (context) => collectInvoice(context, id))
}

function refundDues(context: Context, refund: Tables['refunds']): Due[] {
  return dueAt(refundEndsAt(context, refund), (later) => endRefund(later, refund))
}

function scheduleDues(_context: Context, schedule: Tables['subscription_schedules']): Due[] {
  const { status, end_behavior, current_phase } = schedule
  // A schedule that cancels ends with its subscription.
  if (status !== 'active' || end_behavior !== 'release' || current_phase === null) return []
  return dueAt(current_phase.end_date, (context) => releaseSchedule(context, schedule, 'dropped'))
}

/** Forgets what is too old at `now`. Nothing becomes too old before the clock shows another second. */
export function prune({ store, now }: Pick<Context, 'store' | 'now'>): void {
  pruneKeys(store, now)
  for (const event of store.all('events'))
    if (event.created <= now - eventsKeptSeconds) store.remove('events', event.id)
  for (const row of store.all('deliveries'))
    if (store.get('events', row.event) === undefined) store.remove('deliveries', row.id)
}

/** Opens what falls due of the rows that the store has. */
export function openDues(context: Context): DueTimes[] {
  return [
    openDueTimes(context, ['subscriptions'], subscriptionDues),
    openDueTimes(context, ['invoices'], invoiceDues),
    openDueTimes(context, ['invoices', 'invoice_steps'], sentInvoiceDues),
    openDueTimes(context, ['refunds'], refundDues),
    openDueTimes(context, ['subscription_schedules'], scheduleDues),
  ]
}

/**
 * Runs everything due up to `context.now`, in order of time, each at the time it was due; `done` is called after each, so the caller can
 * check and commit, and have `dues` take note. If an end and a renewal are due at once, the end comes first.
 */
export function runDue(context: Context, dues: readonly DueTimes[], done: () => void): void {
  for (;;) {
    const [first] = dues.flatMap((of) => of.first(context.now) ?? []).toSorted((a, b) => a.at - b.at)
    if (first === undefined) break
    first.run({ ...context, now: first.at, request: { id: null, idempotency_key: null } })
    done()
  }
}
