import type Stripe from 'stripe'
import * as z from 'zod'
import { nextBoundary, type Recurrence } from '../billing/cycle.ts'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import { requireRow } from '../resources/requireRow.ts'
import type { Context } from '../state/context.ts'
import { mintId } from '../state/ids.ts'
import { sum } from '../state/sum.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'

type Item = Wire<Stripe.SubscriptionItem>
type Price = Wire<Stripe.Price>

/** What an item may have and the emulator does not cover. */
export const uncoveredItemParams = words('billing_thresholds current_trial discounts plan price_data tax_rates')

/** The `items` parameter of a new subscription. */
export const itemsParam = z
  .array(
    p.nested(
      { price: p.text(), quantity: p.integer(0).optional(), metadata: p.metadata().optional() },
      uncoveredItemParams,
    ),
  )
  .min(1)
  .max(20)

/** An item's price and quantity, checked. */
export interface WantedItem {
  price: Price
  quantity: number
  metadata: Record<string, string>
}

/** Checks items: known, active, recurring prices, each once, all of one interval and currency. Refusals name them under `at`. */
export function wantedItems(context: Context, sent: z.output<typeof itemsParam>, at = 'items'): WantedItem[] {
  const items = sent.map((item, index) => {
    const param = `${at}[${index}][price]`
    const price = requireRow(context, 'prices', item.price, param)
    if (!price.active) {
      throw invalidRequest('The price specified is inactive. This field only accepts active prices.', undefined, param)
    }
    if (price.recurring === null) {
      const message = `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`
      throw invalidRequest(message, undefined, param)
    }
    return { price, quantity: item.quantity ?? 1, metadata: p.mergeMetadata({}, item.metadata) }
  })
  requireTogether(items, at)
  return items
}

/** Throws a 400 if a subscription cannot have these items together. */
export function requireTogether(items: { price: Price }[], at = 'items'): void {
  if (new Set(items.map(({ price }) => price.id)).size < items.length) {
    throw invalidRequest('Cannot add multiple subscription items with the same price.', undefined, at)
  }
  const terms = items.map(
    ({ price }) => `${price.currency}/${price.recurring?.interval_count}/${price.recurring?.interval}`,
  )
  if (new Set(terms).size > 1) {
    throw invalidRequest('Prices of one subscription must share their currency and interval.', undefined, at)
  }
}

/** The recurrence of a subscription's items. */
export function recurrenceOf(items: { price: Price }[]): Recurrence {
  return items[0]?.price.recurring ?? { interval: 'month', interval_count: 1 }
}

/** The legacy plan that every item still carries beside its price. */
export function planOf(price: Price): Wire<Stripe.Plan> {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** The wire form of a new item in its first period. */
export function newItem(
  context: Context,
  subscription: string,
  wanted: WantedItem,
  period: { start: number; end: number },
): Item {
  return {
    id: mintId(context.random, 'si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: context.now,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: wanted.metadata,
    plan: planOf(wanted.price),
    price: wanted.price,
    quantity: wanted.quantity,
    subscription,
    tax_rates: [],
  }
}

/** The period that follows `start`, counted from the billing cycle anchor. */
export function periodFrom(anchor: number, items: { price: Price }[], start: number): { start: number; end: number } {
  return { start, end: nextBoundary(anchor, recurrenceOf(items), start) }
}

/** The items in another period. */
export function inPeriod(items: Item[], { start, end }: { start: number; end: number }): Item[] {
  return items.map((item) => ({ ...item, current_period_start: start, current_period_end: end }))
}

/** What the unit prices of items come to, in cents. */
export function subtotalOf(items: { price: Price; quantity?: number }[]): number {
  return sum(items.map(({ price, quantity = 1 }) => (price.unit_amount ?? 0) * quantity))
}

/** The end of the paid period: the latest of the items'. */
export function periodEnd(subscription: Wire<Stripe.Subscription>): number {
  return Math.max(...subscription.items.data.map((item) => item.current_period_end))
}
