import type Stripe from 'stripe'
import { currentDiscounts, periodLines } from '../invoices/subscriptionPricing.ts'
import type { ParsedBy } from '../params/params.ts'
import type { Context } from '../state/context.ts'
import type { DraftLine } from '../state/state.ts'
import { invalidRequest, notInFuture } from '../wire/errors.ts'
import { notCovered } from '../wire/notCovered.ts'
import type { Wire } from '../wire/wire.ts'
import { prorations, recursDifferently, unusedTime } from './itemChanges.ts'
import { inPeriod, periodFrom } from './subscriptionItems.ts'
import type { updateParams } from './subscriptionParams.ts'

type Subscription = Wire<Stripe.Subscription>
type Item = Wire<Stripe.SubscriptionItem>
type Sent = ParsedBy<typeof updateParams>

/** What an update does to periods, and the lines it bills: at once, or with the next invoice. */
interface UpdatePlan {
  patch: Partial<Subscription>
  lines: DraftLine[]
  at_once: boolean
}

function prorationTime(context: Context, subscription: Subscription, sent: Sent): number {
  const [first] = subscription.items.data
  const { proration_date: at = context.now } = sent
  if (first !== undefined && sent.proration_date !== undefined) {
    if (at >= first.current_period_start && at <= first.current_period_end) return at
    throw invalidRequest('The proration_date must be within the current period.', undefined, 'proration_date')
  }
  return at
}

/** A cycle that starts now and is billed now, less what was paid for the old cycle. */
function newCycle(context: Context, subscription: Subscription, items: Item[], credit: DraftLine[]): UpdatePlan {
  const period = periodFrom(context.now, items, context.now)
  const renewed = inPeriod(items, period)
  const lines = periodLines(context, renewed, currentDiscounts(context, subscription.discounts), period)
  return {
    patch: { billing_cycle_anchor: context.now, items: { ...subscription.items, data: renewed } },
    lines: [...credit, ...lines],
    at_once: true,
  }
}

/** Free until `end`, when the next cycle starts. Time already paid for is credited; a trial that is only moved bills nothing. */
function trialUntil(
  context: Context,
  subscription: Subscription,
  items: Item[],
  end: number,
  credit: DraftLine[],
): UpdatePlan {
  const goesOn = subscription.status === 'trialing'
  const start = goesOn ? (items[0]?.current_period_start ?? context.now) : context.now
  const free = inPeriod(items, { start, end })
  const patch = {
    status: 'trialing' as const,
    trial_start: goesOn ? subscription.trial_start : context.now,
    trial_end: end,
    billing_cycle_anchor: end,
    items: { ...subscription.items, data: free },
  }
  const lines = goesOn ? [] : [...credit, ...periodLines(context, free, [], { start, end }, { trial: true })]
  return { patch, lines, at_once: !goesOn }
}

/**
 * Plans an update of items, trial or billing cycle (https://docs.stripe.com/billing/subscriptions/change). A new interval or
 * `billing_cycle_anchor=now` starts a new cycle that is billed at once. Anything else is prorated as `proration_behavior` says. `before` is
 * the subscription as it was billed, `subscription` the same with its new discounts.
 */
export function planUpdate(
  context: Context,
  before: Subscription,
  subscription: Subscription,
  after: Item[] | undefined,
  sent: Sent,
): UpdatePlan {
  const items = after ?? subscription.items.data
  const prorates = sent.proration_behavior !== 'none'
  const at = prorationTime(context, subscription, sent)
  const credit = () => (prorates ? unusedTime(context, before, at) : [])
  const trialing = subscription.status === 'trialing'
  if (typeof sent.trial_end === 'number') {
    if (sent.trial_end > context.now) return trialUntil(context, subscription, items, sent.trial_end, credit())
    throw notInFuture('trial_end')
  }
  if (sent.trial_end === 'now' && trialing) {
    const plan = newCycle(context, subscription, items, [])
    return { ...plan, patch: { ...plan.patch, status: 'active', trial_end: context.now } }
  }
  const resets = sent.billing_cycle_anchor?.type === 'now'
  if (resets && trialing) throw notCovered('value', 'billing_cycle_anchor=now in a trial', 'billing_cycle_anchor')
  const moved = after !== undefined && recursDifferently(subscription.items.data, after)
  if (!trialing && (resets || moved)) return newCycle(context, subscription, items, credit())
  const patch = after === undefined ? {} : { items: { ...subscription.items, data: after } }
  const lines = after !== undefined && prorates ? prorations(context, { before, subscription, after }, at) : []
  return { patch, lines, at_once: lines.length > 0 && sent.proration_behavior === 'always_invoice' }
}
