import type Stripe from 'stripe'
import * as z from 'zod/mini'
import type { SubscriptionTerms } from '../../billing/gateway/subscription.ts'
import { idOf } from './idOf.ts'

/** What must be expanded in a list of subscriptions for its discounts' coupons. */
export const TERMS_EXPANSION = ['data.discounts']

const discount = z.object({ source: z.object({ coupon: z.nullable(idOf) }) })

const termsSchema = z.object({
  items: z.object({
    data: z.array(
      z.object({
        quantity: z._default(z.number(), 1),
        price: z.object({ id: z.string(), lookup_key: z.nullable(z.string()), product: idOf, currency: z.string() }),
      }),
    ),
  }),
  currency: z.string(),
  pause_collection: z.nullable(z.looseObject({})),
  discounts: z.array(z.union([discount, z.string()])),
  trial_end: z.nullable(z.number()),
})

/**
 * Reduces Stripe's subscription to what it sells.
 * @throws z.core.$ZodError for an object that is no subscription; the call then counts as unknown
 */
export function readTerms(object: Stripe.Subscription): SubscriptionTerms {
  const { items, currency, pause_collection, discounts, trial_end } = termsSchema.parse(object)
  return {
    items: items.data.map(({ quantity, price }) => ({
      priceId: price.id,
      lookupKey: price.lookup_key,
      gatewayProductId: price.product,
      currency: price.currency,
      quantity,
    })),
    currency,
    collectionPaused: pause_collection !== null,
    couponIds: discounts.flatMap((given) => (typeof given === 'string' ? [] : (given.source.coupon ?? []))),
    trialEnd: trial_end,
  }
}
