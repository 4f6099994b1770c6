import type Stripe from 'stripe'
import type { ParsedBy } from '../params/params.ts'
import type { Context } from '../state/context.ts'
import type { updateParams } from '../subscriptions/subscriptionParams.ts'
import { notInFuture } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { type Invoice, markUncollectible, voidInvoice } from './invoices.ts'

type Subscription = Wire<Stripe.Subscription>

/** What an update makes of `pause_collection`: null collects again (https://docs.stripe.com/billing/subscriptions/pause-payment). */
export function pausedCollection(
  { now }: Context,
  sent: NonNullable<ParsedBy<typeof updateParams>['pause_collection']> | null,
): Subscription['pause_collection'] {
  if (sent === null) return null
  const { behavior, resumes_at = null } = sent
  if (resumes_at !== null && resumes_at <= now) throw notInFuture('pause_collection[resumes_at]')
  return { behavior, resumes_at }
}

/** Whether a renewal's invoice stays a draft: collection is paused and keeps drafts. */
export function keepsDrafts({ pause_collection }: Subscription): boolean {
  return pause_collection?.behavior === 'keep_as_draft'
}

/** Ends an invoice that was finalized while collection is paused: void or uncollectible. Returns whether it did. */
export function endPausedInvoice(context: Context, invoice: Invoice, subscription: Subscription | undefined): boolean {
  const behavior = invoice.status === 'open' ? subscription?.pause_collection?.behavior : undefined
  if (behavior === 'void') voidInvoice(context, invoice)
  if (behavior === 'mark_uncollectible') markUncollectible(context, invoice)
  return behavior === 'void' || behavior === 'mark_uncollectible'
}
