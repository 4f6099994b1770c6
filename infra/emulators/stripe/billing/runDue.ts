import { collectRenewal, subscriptionOf } from '../invoices/collection.ts'
import { isSent } from '../invoices/collectionTerms.ts'
import { finalizeDraft } from '../invoices/finalizeDraft.ts'
import { endPausedInvoice, resumeCollection } from '../invoices/pauseCollection.ts'
import { sendInvoice, sentInvoiceDues } from '../invoices/sentInvoices.ts'
import { failRefund, refundFailsAt } from '../payments/refunds.ts'
import { eventsKeptSeconds } from '../resources/eventRoutes.ts'
import type { Context } from '../state/context.ts'
import { discardPendingUpdate } from '../subscriptions/pendingUpdates.ts'
import { endScheduled } from '../subscriptions/subscriptionCancel.ts'
import { expireSubscription } from '../subscriptions/subscriptionEnd.ts'
import { periodEnd } from '../subscriptions/subscriptionItems.ts'
import { releaseSchedule } from '../subscriptions/subscriptionSchedules.ts'
import { pruneKeys } from '../wire/idempotency.ts'
import type { Due } from './due.ts'
import { renew } from './renewal.ts'

/** Seconds in which the first payment of a subscription must succeed. */
const incompleteSeconds = 23 * 3600

function subscriptionDues({ store }: Context): Due[] {
  return store.all('subscriptions').flatMap((subscription): Due[] => {
    if (subscription.status === 'incomplete') {
      return [
        { at: subscription.created + incompleteSeconds, run: (context) => expireSubscription(context, subscription) },
      ]
    }
    if (!['trialing', 'active', 'past_due', 'unpaid', 'paused'].includes(subscription.status)) return []
    const { cancel_at, pending_update } = subscription
    const held: Due[] =
      pending_update === null
        ? []
        : [{ at: pending_update.expires_at, run: (context) => discardPendingUpdate(context, subscription) }]
    const end: Due[] =
      cancel_at === null ? [] : [{ at: cancel_at, run: (context) => endScheduled(context, subscription) }]
    const resumes = subscription.pause_collection?.resumes_at ?? null
    const resume: Due[] =
      resumes === null ? [] : [{ at: resumes, run: (context) => resumeCollection(context, subscription) }]
    const others = [...held, ...resume, ...end]
    if (subscription.status === 'paused') return others
    return [...others, { at: periodEnd(subscription), run: (context) => renew(context, subscription) }]
  })
}

function finalizeAndCollect(context: Context, id: string): void {
  const draft = context.store.get('invoices', id)
  if (draft === undefined) return
  const invoice = finalizeDraft(context, draft)
  if (endPausedInvoice(context, invoice, subscriptionOf(context, draft))) return
  if (invoice.status !== 'open') return
  if (isSent(invoice)) sendInvoice(context, invoice)
  else collectRenewal(context, id)
}

function invoiceDues({ store }: Context): Due[] {
  return store
    .all('invoices')
    .flatMap(({ id, status, automatically_finalizes_at: finalizes, next_payment_attempt: attempt }): Due[] => {
      if (status === 'draft' && finalizes !== null)
        return [{ at: finalizes, run: (context) => finalizeAndCollect(context, id) }]
      if (status === 'open' && attempt !== null) return [{ at: attempt, run: (context) => collectRenewal(context, id) }]
      return []
    })
}

function refundDues(context: Context): Due[] {
  return context.store.all('refunds').flatMap((refund) => {
    const at = refundFailsAt(context, refund)
    return at === undefined ? [] : [{ at, run: (later: Context) => failRefund(later, refund) }]
  })
}

function scheduleDues({ store }: Context): Due[] {
  return store.all('subscription_schedules').flatMap((schedule) => {
    const { status, end_behavior, current_phase } = schedule
    // A schedule that cancels ends with its subscription.
    if (status !== 'active' || end_behavior !== 'release' || current_phase === null) return []
    return [{ at: current_phase.end_date, run: (context: Context) => releaseSchedule(context, schedule) }]
  })
}

/** Forgets what is too old at `now`. Nothing becomes too old before the clock shows another second. */
export function prune({ store, now }: Pick<Context, 'store' | 'now'>): void {
  pruneKeys(store, now)
  for (const event of store.all('events'))
    if (event.created <= now - eventsKeptSeconds) store.remove('events', event.id)
  for (const row of store.all('deliveries'))
    if (store.get('events', row.event) === undefined) store.remove('deliveries', row.id)
}

/**
 * Runs everything due up to `context.now`, in order of time, each at the time it was due; `done` is called after each, so the caller can
 * check and commit. If an end and a renewal are due at once, the end comes first.
 */
export function runDue(context: Context, done: () => void): void {
  for (;;) {
    const all = [
      ...subscriptionDues(context),
      ...invoiceDues(context),
      ...sentInvoiceDues(context),
      ...refundDues(context),
      ...scheduleDues(context),
    ]
    const dues = all.filter((due) => due.at <= context.now)
    const [first] = dues.toSorted((a, b) => a.at - b.at)
    if (first === undefined) break
    first.run({ ...context, now: first.at, request: { id: null, idempotency_key: null } })
    done()
  }
}
