import type Stripe from 'stripe'
import * as z from 'zod'
import { dueFor, periodDiscounts, periodLines } from '../invoices/subscriptionPricing.ts'
import * as p from '../params/params.ts'
import type { Context } from '../state/context.ts'
import type { DraftLine } from '../state/state.ts'
import { invalidRequest, resourceMissing } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import {
  newItem,
  planOf,
  recurrenceOf,
  requireTogether,
  uncoveredItemParams,
  wantedItems,
} from './subscriptionItems.ts'

type Subscription = Wire<Stripe.Subscription>
type Item = Wire<Stripe.SubscriptionItem>

/** The `items` parameter of an update: an `id` changes (or, `deleted`, removes) an item, a `price` alone adds one. */
export const itemChangesParam = z
  .array(
    p.nested(
      {
        id: p.text().optional(),
        price: p.text().optional(),
        quantity: p.integer(0).optional(),
        deleted: p.flag().optional(),
        metadata: p.metadata().optional(),
      },
      [...uncoveredItemParams, 'clear_usage'],
    ),
  )
  .max(20)

type Changes = z.output<typeof itemChangesParam>

/** The items after the changes: of one currency and interval, at least one, no price twice. */
export function changedItems(context: Context, subscription: Subscription, changes: Changes): Item[] {
  const items = subscription.items.data.flatMap((item): Item[] => {
    const change = changes.find(({ id }) => id === item.id)
    if (change === undefined) return [item]
    if (change.deleted) return []
    const [wanted] = wantedItems(context, [{ price: change.price ?? item.price.id, quantity: change.quantity }])
    const price = change.price === undefined || wanted === undefined ? item.price : wanted.price
    const quantity = change.quantity ?? item.quantity ?? 1
    return [
      { ...item, price, plan: planOf(price), quantity, metadata: p.mergeMetadata(item.metadata, change.metadata) },
    ]
  })
  changes.forEach(({ id, price, quantity, metadata: sent }, index) => {
    if (id !== undefined) {
      if (subscription.items.data.some((item) => item.id === id)) return
      throw resourceMissing('subscription item', id, `items[${index}][id]`)
    }
    const [first] = subscription.items.data
    const [wanted] = price === undefined ? [] : wantedItems(context, [{ price, quantity, metadata: sent }])
    if (wanted === undefined || first === undefined) {
      throw invalidRequest('Missing required param: items[].price.', 'parameter_missing', `items[${index}][price]`)
    }
    const period = { start: first.current_period_start, end: first.current_period_end }
    items.push(newItem(context, subscription.id, wanted, period))
  })
  if (items.length === 0)
    throw invalidRequest('A subscription must have at least one active price.', undefined, 'items')
  requireTogether(items)
  if (items.some(({ price }) => price.currency !== subscription.currency)) {
    throw invalidRequest('The currency of a subscription cannot be changed.', undefined, 'items')
  }
  return items
}

/** Whether two sets of items recur differently. */
export function recursDifferently(before: Item[], after: Item[]): boolean {
  const [a, b] = [recurrenceOf(before), recurrenceOf(after)]
  return a.interval !== b.interval || a.interval_count !== b.interval_count
}

/** A share of the cost of all items after `at`. Counts only the items that `counts` selects, because an item may share a coupon with others. */
function prorated(
  context: Context,
  subscription: Subscription,
  how: { items: Item[]; counts: (item: DraftLine['item']) => boolean; at: number; what: 'Unused' | 'Remaining' },
): DraftLine[] {
  const [first] = subscription.items.data
  if (first === undefined) return []
  const { current_period_start: start, current_period_end: end } = first
  const share = Math.min(1, Math.max(0, (end - how.at) / (end - start)))
  const sign = how.what === 'Unused' ? -1 : 1
  const lines = periodLines(context, how.items, periodDiscounts(context, subscription), { start: how.at, end })
  return lines
    .filter((line) => how.counts(line.item))
    .map((line): DraftLine => {
      const amount = sign * Math.round(dueFor([line]) * share)
      return { ...line, amount, off: [], proration: true, description: `${how.what} time on ${line.description}` }
    })
}

/** Credit for the time after `at` for everything billed in the present period; discounts are included in the amounts. */
export function unusedTime(context: Context, subscription: Subscription, at: number): DraftLine[] {
  if (subscription.status === 'trialing') return []
  return prorated(context, subscription, { items: subscription.items.data, counts: () => true, at, what: 'Unused' })
}

/**
 * Credit for the unused time of the items that go or change, at the discounts of `before`, and the price of the remaining time of those
 * that come, at the discounts of `subscription`.
 */
export function prorations(
  context: Context,
  { before, subscription, after }: { before: Subscription; subscription: Subscription; after: Item[] },
  at: number,
): DraftLine[] {
  if (subscription.status === 'trialing') return []
  const same = (a: DraftLine['item']) => (b: Item) =>
    a.id === b.id && a.price.id === b.price.id && a.quantity === b.quantity
  const goes = (item: DraftLine['item']) => !after.some(same(item))
  const comes = (item: DraftLine['item']) => !before.items.data.some(same(item))
  return [
    ...prorated(context, before, { items: before.items.data, counts: goes, at, what: 'Unused' }),
    ...prorated(context, subscription, { items: after, counts: comes, at, what: 'Remaining' }),
  ]
}
