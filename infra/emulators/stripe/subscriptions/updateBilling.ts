import type Stripe from 'stripe'
import { collect, defaultMethod, planRetry } from '../invoices/collection.ts'
import { isSent } from '../invoices/collectionTerms.ts'
import { draftInvoice } from '../invoices/draftInvoice.ts'
import { finalizeInvoice, finalizeLater, type Invoice } from '../invoices/invoices.ts'
import { demandSuccess, missingMethod } from '../invoices/paymentDemand.ts'
import type { Attempt } from '../payments/paymentIntents.ts'
import { changeSubscription } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import type { DraftLine } from '../state/state.ts'
import type { Wire } from '../wire/wire.ts'
import { isEnded } from './subscriptionStatus.ts'

type Subscription = Wire<Stripe.Subscription>

/** How an update may end when its invoice cannot be paid. */
type UpdateBehavior = 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete'

/** Drafts the invoice of a change that is billed at once, with the pending prorations. */
export function draftUpdateInvoice(context: Context, subscription: Subscription, lines: DraftLine[]): Invoice {
  const waiting = context.store.get('pending_lines', subscription.id)?.lines ?? []
  context.store.remove('pending_lines', subscription.id)
  const period = { start: context.now, end: context.now }
  return draftInvoice(context, subscription, 'subscription_update', [...waiting, ...lines], period)
}

/** Finalizes the invoice and tries to pay it. Returns undefined when nothing is due or there is no card to charge. */
function attempt(context: Context, draft: Invoice, method: string | null, offSession: boolean): Attempt | undefined {
  const invoice = finalizeInvoice(context, draft, { method, save: false })
  if (invoice.status !== 'open' || method === null) return undefined
  return collect(context, invoice, method, { offSession, buyerCanReturn: true })
}

/**
 * Pays for an update at once, or sends its invoice when it is finalized. If the payment fails, the subscription becomes `past_due` (the
 * update stays); with `error_if_incomplete` everything is refused with 402. `default_incomplete` waits for the buyer without trying.
 * Returns true if nothing is owed any more.
 */
export function payUpdate(
  context: Context,
  subscription: Subscription,
  draft: Invoice,
  how: { behavior: UpdateBehavior; offSession: boolean },
): boolean {
  if (isSent(draft)) {
    finalizeLater(context, draft)
    return false
  }
  const method = how.behavior === 'default_incomplete' ? null : defaultMethod(context, subscription)
  if (how.behavior === 'error_if_incomplete' && method === null && draft.amount_due > 0) throw missingMethod(context)
  const tried = attempt(context, draft, method, how.offSession)
  if (context.store.get('invoices', draft.id)?.status === 'paid') return true
  if (tried !== undefined && how.behavior === 'error_if_incomplete') demandSuccess(tried)
  if (how.behavior === 'pending_if_incomplete') return false
  const current = context.store.get('subscriptions', subscription.id) ?? subscription
  if (isEnded(current)) return false
  if (current.status === 'active' || current.status === 'trialing')
    changeSubscription(context, current, { status: 'past_due' })
  if (tried?.result === 'declined') planRetry(context, draft.id)
  return false
}
