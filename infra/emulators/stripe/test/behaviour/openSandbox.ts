import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import Stripe from 'stripe'
import { requireTestKey } from './requireTestKey.ts'
import { archiveRunCatalog, createRunCatalog } from './runCatalog.ts'
import type { TestAccount } from './testAccount.ts'

/** Longest wait for a test clock; Stripe takes some seconds for a month. */
const clockTimeoutMs = 120_000

/**
 * Opens a Stripe sandbox. `close` deletes what was created through it, or archives it where Stripe does not delete: clocks, customers with
 * their subscriptions, coupons, promotion codes, prices, products. Rejects on a live key before anything is sent.
 */
export async function openSandbox(secretKey: string): Promise<TestAccount> {
  requireTestKey(secretKey)
  const stripe = new Stripe(secretKey, { telemetry: false, maxNetworkRetries: 2 })
  const run = randomUUID().slice(0, 8)
  const undo: (() => Promise<unknown>)[] = []
  const clocks = new Map<string, string>()
  const catalog = await createRunCatalog(stripe, run)
  undo.push(() => archiveRunCatalog(stripe, catalog))

  async function openClock(): Promise<string> {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000), name: run })
    // Deletes its customers and their subscriptions, too.
    undo.push(() => stripe.testHelpers.testClocks.del(clock.id))
    return clock.id
  }

  async function customerWith(card?: string, { clocked = false } = {}): Promise<Stripe.Customer> {
    const clock = clocked ? await openClock() : undefined
    const customer = await stripe.customers.create({
      description: `Behaviour suite ${run}`,
      ...(card && { payment_method: card, invoice_settings: { default_payment_method: card } }),
      ...(clock && { test_clock: clock }),
    })
    if (clock === undefined) undo.push(() => stripe.customers.del(customer.id))
    else clocks.set(customer.id, clock)
    return customer
  }

  async function advance(customer: string, seconds: number): Promise<void> {
    const id = clocks.get(customer)
    if (id === undefined) throw new Error(`${customer} is not clocked`)
    const { frozen_time } = await stripe.testHelpers.testClocks.retrieve(id)
    await stripe.testHelpers.testClocks.advance(id, { frozen_time: frozen_time + seconds })
    const end = Date.now() + clockTimeoutMs
    while (Date.now() < end) {
      const { status } = await stripe.testHelpers.testClocks.retrieve(id)
      if (status === 'ready') return
      if (status === 'internal_failure') break
      await delay(1000)
    }
    throw new Error(`the test clock ${id} was not ready in time`)
  }

  return {
    stripe,
    prices: catalog.prices,
    unique: (name) => `${name}-${run}`,
    customerWith,
    async coupon(params) {
      const coupon = await stripe.coupons.create(params)
      undo.push(() => stripe.coupons.del(coupon.id))
      return coupon
    },
    async promotionCode(params) {
      const code = await stripe.promotionCodes.create(params)
      undo.push(() => stripe.promotionCodes.update(code.id, { active: false }))
      return code
    },
    advance,
    authenticate: () => Promise.reject(new Error('Stripe lets only a browser finish 3-D Secure')),
    async close() {
      const left: string[] = []
      // The newest first: a promotion code ends before its coupon.
      for (const step of undo.reverse()) {
        await step().catch((error: unknown) => {
          if (!isGone(error)) left.push(String(error))
        })
      }
      if (left.length > 0) throw new Error(`left behind at Stripe: ${left.join('; ')}`)
    },
  }
}

/** Whether the object was deleted before: by the test, or by Stripe with its owner. */
function isGone(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
}
