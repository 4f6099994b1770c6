import type Stripe from 'stripe'
import { automaticTax } from '../invoices/automaticTax.ts'
import { collectionTerms, isSent, requireEmail } from '../invoices/collectionTerms.ts'
import type { Invoice } from '../invoices/invoices.ts'
import { pausedCollection } from '../invoices/pauseCollection.ts'
import { mergeMetadata, type ParsedBy } from '../params/params.ts'
import { usableMethod } from '../payments/paymentMethods.ts'
import { replaceDiscounts } from '../resources/discounts.ts'
import { changeSubscription } from '../resources/events.ts'
import type { Context } from '../state/context.ts'
import type { DraftLine } from '../state/state.ts'
import { exclusiveParams, invalidRequest, notInFuture } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import type { Wire } from '../wire/wire.ts'
import { changedItems } from './itemChanges.ts'
import { applyPendingUpdate, discardPendingUpdate, storePendingUpdate } from './pendingUpdates.ts'
import { cancellationDetails } from './subscriptionEnd.ts'
import { periodEnd } from './subscriptionItems.ts'
import type { updateParams } from './subscriptionParams.ts'
import { isEnded } from './subscriptionStatus.ts'
import { endTrialWithoutCard } from './trialEnd.ts'
import { draftUpdateInvoice, payUpdate } from './updateBilling.ts'
import { planUpdate } from './updatePlan.ts'

type Subscription = Wire<Stripe.Subscription>

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
  if (subscription.schedule !== null && (sent.cancel_at !== undefined || sent.cancel_at_period_end !== undefined)) {
    const message =
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior ` +
      'directly is not allowed. Please update the schedule instead.'
    throw invalidRequest(message)
  }
  if (sent.cancel_at !== undefined && sent.cancel_at_period_end !== undefined) {
    throw exclusiveParams('cancel_at', 'cancel_at_period_end')
  }
}

function cancelTime(context: Context, subscription: Subscription, sent: Sent): number | null | undefined {
  if (sent.cancel_at_period_end !== undefined) return sent.cancel_at_period_end ? periodEnd(subscription) : null
  if (typeof sent.cancel_at === 'number' && sent.cancel_at <= context.now) {
    throw notInFuture('cancel_at')
  }
  if (sent.cancel_at === 'min_period_end')
    return Math.min(...subscription.items.data.map((item) => item.current_period_end))
  return typeof sent.cancel_at === 'string' ? periodEnd(subscription) : sent.cancel_at
}

function cancellation(context: Context, subscription: Subscription, sent: Sent): Partial<Subscription> {
  const at = cancelTime(context, subscription, sent)
  const details = cancellationDetails(subscription, sent.cancellation_details, null)
  if (at === undefined) return sent.cancellation_details === undefined ? {} : { cancellation_details: details }
  return {
    cancel_at: at,
    cancel_at_period_end: sent.cancel_at_period_end ?? false,
    canceled_at: at === null ? null : context.now,
    cancellation_details: { ...details, reason: at === null ? null : 'cancellation_requested' },
  }
}

const pendable = ['items', 'metadata', 'cancel_at_period_end', 'trial_end', 'billing_cycle_anchor']
const companions = ['payment_behavior', 'proration_behavior', 'proration_date', 'off_session']

function refuseUnpendable(sent: Sent): void {
  const foreign = Object.keys(sent).find((name) => !pendable.includes(name) && !companions.includes(name))
  if (sent.payment_behavior !== 'pending_if_incomplete' || foreign === undefined) return
  if (foreign === 'discounts')
    throw notCovered('parameter', 'discounts with payment_behavior=pending_if_incomplete', 'discounts')
  const message = `The parameter ${foreign} cannot be used with payment_behavior=pending_if_incomplete.`
  throw invalidRequest(message, undefined, foreign)
}

function plainChanges(context: Context, subscription: Subscription, sent: Sent): Partial<Subscription> {
  const settings = subscription.payment_settings
  return {
    ...collectionTerms(sent, subscription),
    ...cancellation(context, subscription, sent),
    ...(sent.automatic_tax !== undefined && {
      automatic_tax: automaticTax(context, subscription.customer, sent.automatic_tax),
    }),
    ...(sent.default_payment_method !== undefined && { default_payment_method: sent.default_payment_method }),
    ...(sent.description !== undefined && { description: sent.description }),
    ...(sent.pause_collection !== undefined && { pause_collection: pausedCollection(context, sent.pause_collection) }),
    ...(sent.payment_settings && {
      payment_settings: {
        payment_method_options: settings?.payment_method_options ?? null,
        payment_method_types: sent.payment_settings.payment_method_types ?? settings?.payment_method_types ?? null,
        save_default_payment_method:
          sent.payment_settings.save_default_payment_method ?? settings?.save_default_payment_method ?? 'off',
      },
    }),
    ...(sent.trial_settings && {
      trial_settings: { end_behavior: { billing_cycle_anchor: null, ...sent.trial_settings.end_behavior } },
    }),
    ...(sent.discounts !== undefined && { discounts: replaceDiscounts(context, subscription, sent.discounts) }),
    ...(sent.metadata !== undefined && { metadata: mergeMetadata(subscription.metadata, sent.metadata) }),
  }
}

function addPendingLines(context: Context, id: string, lines: DraftLine[]): void {
  if (lines.length === 0) return
  const waiting = context.store.get('pending_lines', id)?.lines ?? []
  context.store.put('pending_lines', { id, lines: [...waiting, ...lines] })
}

/** Bills an update and applies it when its invoice is paid; until then it is the subscription's `pending_update`. */
function updateWhenPaid(
  context: Context,
  subscription: Subscription,
  patch: Partial<Subscription>,
  draft: Invoice,
  offSession: boolean,
): Subscription {
  const held = storePendingUpdate(context, subscription, draft.id, patch)
  const paid = payUpdate(context, held, draft, { behavior: 'pending_if_incomplete', offSession })
  const current = context.store.get('subscriptions', subscription.id) ?? held
  return paid ? applyPendingUpdate(context, current, draft.id) : current
}

/** Ends the trial with an update, unless it is to end with an invoice: then nothing is written and undefined is returned. */
function endTrialNow(
  context: Context,
  subscription: Subscription,
  changed: Partial<Subscription>,
  sent: Sent,
): Subscription | undefined {
  const ended = endTrialWithoutCard(context, subscription, { ...changed, trial_end: context.now })
  if (ended !== undefined && sent.payment_behavior === 'pending_if_incomplete')
    throw notCovered('value', 'pending_if_incomplete for a trial that ends without a card', 'payment_behavior')
  return ended
}

/** Changes items, discounts, trial, billing cycle, metadata, the card, payment settings or the planned end of a subscription. */
export function updateSubscription(context: Context, found: Subscription, sent: Sent): Subscription {
  refuseFields(found, sent)
  refuseUnpendable(sent)
  if (sent.default_payment_method != null) {
    usableMethod(context, sent.default_payment_method, found.customer, 'default_payment_method')
  }
  const bills = sent.items !== undefined || sent.trial_end !== undefined || sent.billing_cycle_anchor !== undefined
  const subscription = bills ? discardPendingUpdate(context, found) : found
  const items = sent.items && changedItems(context, subscription, sent.items)
  const plain = plainChanges(context, subscription, sent)
  if (sent.collection_method === 'send_invoice') requireEmail(context, subscription.customer)
  const withItems = { ...plain, ...(items && { items: { ...subscription.items, data: items } }) }
  const ended = sent.trial_end === 'now' ? endTrialNow(context, subscription, withItems, sent) : undefined
  if (ended !== undefined) return ended
  const plan = planUpdate(context, subscription, { ...subscription, ...plain }, items, sent)
  const patch = { ...plain, ...plan.patch }
  if (!plan.at_once) {
    addPendingLines(context, subscription.id, plan.lines)
    return changeSubscription(context, subscription, patch)
  }
  const draft = draftUpdateInvoice(context, { ...subscription, ...patch }, plan.lines)
  const behavior = sent.payment_behavior ?? 'allow_incomplete'
  if (behavior === 'pending_if_incomplete' && isSent(draft))
    throw notCovered('value', 'pending_if_incomplete of a subscription that sends invoices', 'payment_behavior')
  const offSession = sent.off_session ?? false
  if (behavior === 'pending_if_incomplete') return updateWhenPaid(context, subscription, patch, draft, offSession)
  const billed = { ...patch, latest_invoice: draft.id }
  const updated = changeSubscription(context, subscription, billed)
  payUpdate(context, updated, draft, { behavior, offSession })
  return context.store.get('subscriptions', subscription.id) ?? updated
}
