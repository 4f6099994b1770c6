import * as z from 'zod/mini'
import { secondsToRfc3339 } from '../../core/clock.ts'
import { described, named } from '../../http/schema.ts'
import { recurringPriceSchema } from '../gateway/subscription.ts'
import type { Slot } from './slot.ts'

/** The part of a recorded subscription that says what it costs. */
export type SoldSubscription = Pick<NonNullable<Slot['subscription']>, 'price' | 'nextCharge'>

/** What a subscription costs, as members of its object in the API. */
export const priceMembers = {
  price: described(
    'The price of a period as it was sold, before discount and tax; `amount` in the currency’s smallest unit. Null while the purchase is pending, until the price is recorded, or if it is no single amount.',
    z.nullable(
      named(
        'SubscriptionPrice',
        z.object({
          amount: described('The price of a period, in the currency’s smallest unit', z.int()),
          currency: described('ISO 4217, in lower case', z.string()),
          interval: described('The unit of a period', recurringPriceSchema.shape.interval),
          interval_count: described('How many units a period has', z.int()),
        }),
      ),
    ),
  ),
  next_charge: described(
    'What will be charged or invoiced next and when, after discount and tax, in the currency of `price`: for `past_due` with a card the open invoice and its next attempt. Null if nothing will be, or if it is not known yet.',
    z.nullable(
      named(
        'NextCharge',
        z.object({
          amount: described('What will be charged, in the smallest unit of the currency of `price`', z.int()),
          at: described('When it will be charged', z.iso.datetime()),
        }),
      ),
    ),
  ),
}

/** An amount says nothing without its currency: without a price there is no next charge. */
export function toPriceMembers({ price, nextCharge }: SoldSubscription) {
  if (!price) return { price: null, next_charge: null }
  const { amount, currency, interval, intervalCount } = price
  const at = secondsToRfc3339(nextCharge?.at)
  return {
    price: { amount, currency, interval, interval_count: intervalCount },
    next_charge: nextCharge && at !== null ? { amount: nextCharge.amount, at } : null,
  }
}
