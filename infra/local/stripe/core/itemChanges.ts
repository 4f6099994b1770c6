import type Stripe from 'stripe'
import { z } from 'zod'
import { collect, defaultMethod } from './collection.ts'
import type { Context } from './context.ts'
import { type DraftLine, draftInvoice } from './draftInvoice.ts'
import { invalidRequest, notCovered, resourceMissing } from './errors.ts'
import { finalizeInvoice, type Invoice } from './invoices.ts'
import { flag, integer, mergeMetadata, metadata, nested, text } from './params.ts'
import { demandSuccess } from './paymentDemand.ts'
import { newItem, planOf, recurrenceOf, wantedItems } from './subscriptionItems.ts'
import { currentDiscounts, dueFor, periodLines } from './subscriptionPricing.ts'
import type { Wire } from './wire.ts'

type Subscription = Wire<Stripe.Subscription>
type Item = Wire<Stripe.SubscriptionItem>

/** The `items` parameter of an update: an `id` changes (or, `deleted`, removes) an item, a `price` alone adds one. */
export const itemChangesParam = z
  .array(
    nested({
      id: text().optional(),
      price: text().optional(),
      quantity: integer(0).optional(),
      deleted: flag().optional(),
      metadata: metadata().optional(),
    }),
  )
  .max(20)

type Changes = z.output<typeof itemChangesParam>

/** The items after the changes: same currency and interval, at least one, no price twice. */
export function changedItems(context: Context, subscription: Subscription, changes: Changes): Item[] {
  const items = subscription.items.data.flatMap((item): Item[] => {
    const change = changes.find(({ id }) => id === item.id)
    if (change === undefined) return [item]
    if (change.deleted) return []
    const [wanted] = wantedItems(context, [{ price: change.price ?? item.price.id, quantity: change.quantity }])
    const price = change.price === undefined || wanted === undefined ? item.price : wanted.price
    const quantity = change.quantity ?? item.quantity ?? 1
    return [{ ...item, price, plan: planOf(price), quantity, metadata: mergeMetadata(item.metadata, change.metadata) }]
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
  if (new Set(items.map((item) => item.price.id)).size < items.length) {
    throw invalidRequest('Cannot add multiple subscription items with the same price.', undefined, 'items')
  }
  const before = recurrenceOf(subscription.items.data)
  const moved = items.some(({ price }) => {
    const { interval, interval_count } = price.recurring ?? before
    return (
      interval !== before.interval ||
      interval_count !== before.interval_count ||
      price.currency !== subscription.currency
    )
  })
  if (moved) throw notCovered('changing the interval or currency of a subscription')
  return items
}

/** Credit for the unused time of what was, and the price of the remaining time of what is; discounts are included in the amounts. */
export function prorations(context: Context, subscription: Subscription, after: Item[]): DraftLine[] {
  const before = subscription.items.data
  const [first] = before
  if (first === undefined || subscription.status === 'trialing') return []
  const { current_period_start: start, current_period_end: end } = first
  const share = (end - context.now) / (end - start)
  const latest =
    subscription.latest_invoice === null ? undefined : context.store.get('invoices', subscription.latest_invoice)
  const coupons = currentDiscounts(context, subscription.discounts, latest?.billing_reason === 'subscription_create')
  const same = (a: Item) => (b: Item) => a.id === b.id && a.price.id === b.price.id && a.quantity === b.quantity
  const lines = (items: Item[], other: Item[], sign: number, what: string) => {
    return periodLines(context, items, coupons, { start: context.now, end }, false)
      .filter(({ item }) => !other.some(same(item)))
      .map((line): DraftLine => {
        const amount = sign * Math.round(dueFor([line]) * share)
        return { ...line, amount, off: [], proration: true, description: `${what} time on ${line.description}` }
      })
  }
  return [...lines(before, after, -1, 'Unused'), ...lines(after, before, 1, 'Remaining')]
}

/** Bills prorations at once. A payment that fails leaves the invoice open, or with `demand` refuses the whole update with 402. */
export function billNow(context: Context, subscription: Subscription, lines: DraftLine[], demand: boolean): Invoice {
  const method = defaultMethod(context, subscription)
  const period = { start: context.now, end: context.now }
  const draft = draftInvoice(context, subscription, 'subscription_update', lines, period)
  const invoice = finalizeInvoice(context, draft, { method, save: false })
  if (invoice.status !== 'open' || method === null) return invoice
  const attempt = collect(context, invoice, method, { offSession: true, buyerCanReturn: true })
  if (demand) demandSuccess(attempt)
  return context.store.get('invoices', invoice.id) ?? invoice
}
