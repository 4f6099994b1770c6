import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { startStripeServer } from '../../server/startStripeServer.ts'
import { createRunCatalog } from './runCatalog.ts'
import type { TestAccount } from './testAccount.ts'

const secretKey = 'sk_test_behaviour'

/** Opens an emulator that holds only the catalog which a sandbox gets, too. */
export async function openEmulator(): Promise<TestAccount> {
  const server = await startStripeServer({ secretKey })
  const { hostname, port } = new URL(server.apiBase)
  const where = { protocol: 'http', host: hostname, port } as const
  const stripe = new Stripe(secretKey, { ...where, telemetry: false, maxNetworkRetries: 0 })
  const run = randomUUID().slice(0, 8)
  const { prices } = await createRunCatalog(stripe, run)

  async function control(path: string, body: object): Promise<void> {
    const response = await fetch(`${server.apiBase}/_emulator${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  }

  return {
    stripe,
    prices,
    unique: (name) => `${name}-${run}`,
    customerWith: (card) =>
      stripe.customers.create(card ? { payment_method: card, invoice_settings: { default_payment_method: card } } : {}),
    coupon: (params) => stripe.coupons.create(params),
    promotionCode: (params) => stripe.promotionCodes.create(params),
    advance: (_customer, seconds) => control('/clock', { advance_seconds: seconds }),
    authenticate: (id, outcome) => control('/authenticate', { id, outcome }),
    close: () => server.close(),
  }
}
