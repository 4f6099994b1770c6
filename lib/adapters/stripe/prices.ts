import type Stripe from 'stripe'
import * as z from 'zod'
import { planCodes } from '../../billing/catalog.ts'
import type { GatewayAnswer } from '../../billing/gatewayAnswer.ts'
import type { Price } from '../../billing/ports.ts'
import type { Clock } from '../../core/clock.ts'
import { idOf } from './idOf.ts'
import type { GatewayCall } from './wireCall.ts'

/** Milliseconds for which a price list is used. What was bought with an older one is frozen with its purchase. */
const FRESH = 5 * 60 * 1000

const priceSchema = z.object({
  id: z.string(),
  lookup_key: z.string(),
  product: idOf,
})

/** The active prices of the catalog by plan code, fetched at most once in five minutes and container. */
export function createPriceList(stripe: Stripe, callGateway: GatewayCall, clock: Clock) {
  let known: { at: number; prices: ReadonlyMap<string, Price> } | undefined
  return async (): Promise<GatewayAnswer<ReadonlyMap<string, Price>>> => {
    if (known && Math.abs(clock.now() - known.at) < FRESH) return { kind: 'ok', value: known.prices, replayed: false }
    const lookupKeys = Object.values(planCodes)
    const answer = await callGateway(
      () => stripe.prices.list({ lookup_keys: lookupKeys, active: true, limit: 100 }),
      (list) => new Map(list.data.map((object) => readPrice(object))),
    )
    if (answer.kind === 'ok') known = { at: clock.now(), prices: answer.value }
    return answer
  }
}

function readPrice(object: Stripe.Price): [string, Price] {
  const { id, lookup_key, product } = priceSchema.parse(object)
  return [lookup_key, { id, gatewayProductId: product }]
}
