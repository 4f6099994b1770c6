import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { chargeCard } from '../../lib/adapters/stripe/collections.ts'
import { createPriceList } from '../../lib/adapters/stripe/prices.ts'
import { createPurchases } from '../../lib/adapters/stripe/purchases.ts'
import { createScheduleRelease } from '../../lib/adapters/stripe/scheduleRelease.ts'
import { createStripeClient } from '../../lib/adapters/stripe/stripeClient.ts'
import { createGatewayCall } from '../../lib/adapters/stripe/wireCall.ts'
import type { Clock } from '../../lib/core/clock.ts'
import { fixedSecret } from '../../lib/core/secret.ts'
import { noon, organizationId, userId } from './fixtures.ts'

/** Stripe's JSON of a subscription of the organization's `ota`, with purchase number `n`. */
export function stripeSubscription(id: string, n: number, status = 'active') {
  return {
    id,
    object: 'subscription',
    collection_method: 'charge_automatically',
    status,
    customer: 'cus_1',
    metadata: { organization_id: organizationId, product: 'ota', plan_code: 'base_ota', n: String(n), user_id: userId },
    created: noon,
    cancel_at: null,
    ended_at: null,
    items: { data: [{ current_period_end: noon + 86_400, price: { id: 'price_1' } }] },
    latest_invoice: null,
  }
}

/** Answers with JSON, and with the header by which Stripe keeps its SDK from retrying. */
export function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false', ...headers })
  response.end(JSON.stringify(body))
}

/** Starts an HTTP server in Stripe's place, whose requests go to `handle`, and returns the adapters of subscriptions and prices on it. */
export async function openGateway(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  clock: Clock = { now: () => noon * 1000, sync: async () => {} },
) {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on a port')
  const stripe = createStripeClient({ key: fixedSecret('sk_test_x'), apiBase: `http://127.0.0.1:${address.port}` })
  const logger = { info: () => {}, warn: () => {}, error: () => {} }
  const call = createGatewayCall(logger)
  return {
    subscriptions: createPurchases(stripe, call, clock, {
      automaticTax: false,
      collect: chargeCard,
      changeEnd: createScheduleRelease(stripe, call, logger),
    }),
    openPrices: (lookupKeys: readonly string[]) => createPriceList(stripe, call, clock, lookupKeys),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
