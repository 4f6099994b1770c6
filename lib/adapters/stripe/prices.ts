import type Stripe from 'stripe'
import * as z from 'zod/mini'
import { planCodes } from '../../billing/catalog.ts'
import type { GatewayAnswer } from '../../billing/gateway/gatewayAnswer.ts'
import type { Catalog, Offer, Price } from '../../billing/gateway/gatewayPorts.ts'
import type { Clock } from '../../core/clock.ts'
import { idOf } from './idOf.ts'
import { type GatewayCall, readLimits } from './wireCall.ts'

/** Milliseconds for which a price list is used. A purchase freezes the prices that it was made with. */
const FRESH = 5 * 60 * 1000

/** Stripe takes ten lookup keys in a request. */
const LOOKUP_KEYS = 10

const priceSchema = z.object({
  id: z.string(),
  lookup_key: z.string(),
  product: idOf,
  currency: z.string(),
})

const offerSchema = z.object({
  unit_amount: z.int(),
  recurring: z.object({ interval: z.enum(['day', 'week', 'month', 'year']), interval_count: z.int() }),
  product: z.object({ name: z.string(), description: z.nullable(z.string()) }),
})

/** The active prices of these plan codes, the catalog's, fetched at most once in five minutes and container. */
export function createPriceList(
  stripe: Stripe,
  callGateway: GatewayCall,
  clock: Clock,
  lookupKeys: readonly string[] = Object.values(planCodes),
): Catalog['prices'] {
  let known: { at: number; prices: ReadonlyMap<string, Price> } | undefined
  return async ({ fresh = false, answerBy } = {}): Promise<GatewayAnswer<ReadonlyMap<string, Price>>> => {
    if (!fresh && known && Math.abs(clock.now() - known.at) < FRESH)
      return { kind: 'ok', value: known.prices, replayed: false }
    const prices = new Map<string, Price>()
    for (let start = 0; start < lookupKeys.length; start += LOOKUP_KEYS) {
      const chunk = lookupKeys.slice(start, start + LOOKUP_KEYS)
      const answer = await callGateway(
        () => stripe.prices.list({ lookup_keys: chunk, active: true, limit: 100, expand: ['data.product'] }),
        (list) => list.data.map((object) => readPrice(object)),
        readLimits(clock, answerBy),
      )
      if (answer.kind !== 'ok') return answer
      for (const [planCode, price] of answer.value) prices.set(planCode, price)
    }
    // If a list lacks a plan, it is read again at once.
    known = prices.size < lookupKeys.length ? undefined : { at: clock.now(), prices }
    return { kind: 'ok', value: prices, replayed: false }
  }
}

function readPrice(object: Stripe.Price): [string, Price] {
  const { id, lookup_key, product, currency } = priceSchema.parse(object)
  const offer = readOffer(object)
  return [lookup_key, { id, gatewayProductId: product, currency, ...(offer && { offer }) }]
}

/** A price that a list cannot show is still sold: reading it must not fail. */
function readOffer(object: Stripe.Price): Offer | undefined {
  const { data } = offerSchema.safeParse(object)
  if (!data) return undefined
  const { product, recurring, unit_amount: amount } = data
  const { interval, interval_count: intervalCount } = recurring
  return { name: product.name, description: product.description, amount, interval, intervalCount }
}
