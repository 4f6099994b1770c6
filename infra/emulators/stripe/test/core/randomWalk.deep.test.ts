import { describe, expect, it } from '@jest/globals'
import { createStripeCore, type StripeCore } from '../../core/stripeCore.ts'
import { words } from '../../params/words.ts'
import { chance } from '../support/chance.ts'

const cards = words(
  'visa chargeCustomerFail authenticationRequired authenticationRequiredOnSetup threeDSecureRequiredChargeDeclined',
)

/** Takes `steps` random steps of a shop, and calls `done` after each. Returns every status seen. */
function wander(core: StripeCore, random: () => number, steps: number, done = () => {}): number[] {
  const pick = <T>(from: T[]): T | undefined => from[Math.floor(random() * from.length)]
  const statuses: number[] = []
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, params?: object) => {
    const { status } = core.call(method, path, params)
    statuses.push(status)
  }
  const rows = () => core.snapshot().rows
  const any = (table: Record<string, object>) => pick(Object.keys(table)) ?? 'none'
  const card = () => `pm_card_${pick(cards)}`

  call('POST', '/v1/products', { id: 'prod_a', name: 'A' })
  const terms = { product: 'prod_a', currency: 'usd' }
  call('POST', '/v1/prices', { ...terms, unit_amount: 1000, recurring: { interval: 'month' } })
  call('POST', '/v1/prices', { ...terms, unit_amount: 9900, recurring: { interval: 'year' } })
  call('POST', '/v1/coupons', {
    id: 'C',
    percent_off: 33,
    duration: 'repeating',
    duration_in_months: 2,
    max_redemptions: 5,
  })
  const [price, yearly] = Object.keys(rows().prices)
  const update = (params: object) => call('POST', `/v1/subscriptions/${any(rows().subscriptions)}`, params)
  const money = () => 1 + Math.floor(random() * 1200)

  const moves: (() => void)[] = [
    () => {
      const payment_method = card()
      const email = random() < 0.7 ? { email: 'ada@example.com' } : {}
      const invoice_settings = { default_payment_method: payment_method }
      call('POST', '/v1/customers', { payment_method, invoice_settings, ...email })
    },
    () => {
      const behavior = pick(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])
      const discounts = random() < 0.3 ? { discounts: [{ coupon: 'C' }] } : {}
      const trial = random() < 0.2 ? { trial_period_days: 7 } : {}
      call('POST', '/v1/subscriptions', {
        customer: any(rows().customers),
        items: [{ price }],
        payment_behavior: behavior,
        ...discounts,
        ...trial,
        ...(random() < 0.3 && { collection_method: 'send_invoice', days_until_due: 5 }),
      })
    },
    () => {
      const params = { prorate: random() < 0.5, invoice_now: random() < 0.5 }
      call('DELETE', `/v1/subscriptions/${any(rows().subscriptions)}`, params)
    },
    () => call('POST', `/v1/subscriptions/${any(rows().subscriptions)}`, { cancel_at_period_end: random() < 0.5 }),
    () => call('POST', `/v1/subscriptions/${any(rows().subscriptions)}/${pick(['pause', 'resume'])}`),
    () => call('POST', `/v1/invoices/${any(rows().invoices)}/${pick(['pay', 'void'])}`),
    () => call('POST', `/v1/invoices/${any(rows().invoices)}/${pick(['send', 'mark_uncollectible', 'finalize'])}`),
    () => call('POST', `/v1/invoices/${any(rows().invoices)}/pay`, { paid_out_of_band: true }),
    () =>
      update(
        random() < 0.5
          ? { collection_method: 'charge_automatically' }
          : { collection_method: 'send_invoice', days_until_due: 3 },
      ),
    () => call('POST', `/v1/payment_intents/${any(rows().payment_intents)}/confirm`, { payment_method: card() }),
    () => {
      const subscription = pick(Object.values(rows().subscriptions))
      const id = subscription?.items.data[0]?.id ?? 'none'
      const payment_behavior = pick(['allow_incomplete', 'pending_if_incomplete', 'error_if_incomplete'])
      const proration_behavior = pick(['always_invoice', 'create_prorations', 'none'])
      const change = random() < 0.5 ? { quantity: money() % 5 } : { price: pick([price, yearly]) }
      const params = { items: [{ id, ...change }], payment_behavior, proration_behavior }
      call('POST', `/v1/subscriptions/${subscription?.id}`, params)
    },
    () => update(random() < 0.5 ? { discounts: [{ coupon: 'C' }] } : { discounts: '' }),
    () => update(random() < 0.5 ? { trial_end: 'now' } : { trial_end: core.now() + 86_400 * 9 }),
    () => update({ billing_cycle_anchor: { type: 'now' } }),
    () => {
      const invoice = any(rows().invoices)
      const amount = money()
      const way = pick(['refund_amount', 'credit_amount', 'none'])
      const back = way !== undefined && way !== 'none' && { [way]: amount }
      call('POST', '/v1/credit_notes', { invoice, amount, ...back })
    },
    () => call('POST', `/v1/credit_notes/${any(rows().credit_notes)}/void`),
    () => {
      const terms = { amount: 50 + money(), currency: 'usd', payment_method: card() }
      call('POST', '/v1/payment_intents', { ...terms, confirm: true })
    },
    () => call('POST', '/v1/refunds', { payment_intent: any(rows().payment_intents) }),
    () => call('POST', `/v1/payment_methods/${any(rows().payment_methods)}/detach`),
    () => {
      const waiting = Object.values(rows().payment_intents).filter(({ status }) => status === 'requires_action')
      const intent = pick(waiting)
      if (intent !== undefined) core.control.authenticate(intent.id, random() < 0.5 ? 'succeed' : 'fail')
    },
    () => {
      if (random() < 0.2) call('DELETE', `/v1/customers/${any(rows().customers)}`)
    },
    () => core.advance(Math.floor(random() * 9 * 86_400)),
    () => core.advance(Math.floor(random() * 7200)),
  ]
  // Purchases are the most frequent step.
  for (let step = 0; step < steps; step += 1) {
    const move = random() < 0.3 ? moves[1] : pick(moves)
    move?.()
    done()
  }
  return statuses
}

describe('A random sequence of requests', () => {
  it.each([1, 2, 3, 4, 5, 6])('leaves balanced books, and last events equal to their objects (seed %i)', (seed) => {
    const core = createStripeCore({ now: () => 1_800_000_000, random: chance(seed), secretKeys: ['sk_test_a'] })
    const statuses = wander(core, chance(seed * 101), 260)
    expect(new Set(statuses)).toEqual(new Set([200, 400, 402, 404, 501].filter((status) => statuses.includes(status))))
    expect(core.violations()).toEqual([])
    const { subscriptions, events } = core.snapshot().rows
    expect(Object.keys(subscriptions).length).toBeGreaterThan(10)
    const lastEvents = new Map(
      Object.values(events).map(({ data }) => [JSON.stringify(Object.entries(data.object)[0]), data.object]),
    )
    for (const subscription of Object.values(subscriptions)) {
      const last = lastEvents.get(JSON.stringify(['id', subscription.id]))
      if (last !== undefined) expect(last).toEqual(subscription)
    }
    const again = createStripeCore({ now: () => 1_800_000_000, random: chance(seed), secretKeys: ['sk_test_a'] })
    expect(wander(again, chance(seed * 101), 260)).toEqual(statuses)
    expect(again.snapshot()).toEqual(core.snapshot())
  })

  it('leaves every snapshot as it was taken, and what another core does from there on as well', () => {
    const open = (seed: number, snapshot?: unknown) =>
      createStripeCore({ now: () => 1_800_000_000, random: chance(seed), secretKeys: ['sk_test_a'], snapshot })
    const core = open(7)
    const taken: { snapshot: unknown; text: string }[] = []
    let steps = 0
    wander(core, chance(707), 200, () => {
      steps += 1
      if (steps % 20 > 0) return
      const snapshot = core.snapshot()
      taken.push({ snapshot, text: JSON.stringify(snapshot) })
    })
    for (const { snapshot } of taken.slice(-2)) wander(open(6, snapshot), chance(606), 100)
    expect(taken).toHaveLength(10)
    for (const { snapshot, text } of taken) expect(JSON.stringify(snapshot)).toBe(text)
  })

  it('ends in the same state after two months in one step and in sixty', () => {
    const open = (random: () => number, snapshot?: unknown) =>
      createStripeCore({ now: () => 1_800_000_000, random, secretKeys: ['sk_test_a'], snapshot })
    const before = open(chance(8))
    wander(before, chance(808), 200)
    const [once, often] = [open(chance(9), before.snapshot()), open(chance(9), before.snapshot())]
    once.advance(60 * 86_400)
    for (let day = 0; day < 60; day += 1) often.advance(86_400)
    expect(once.snapshot().rows.invoices).not.toEqual(before.snapshot().rows.invoices)
    expect(often.control.state()).toEqual(once.control.state())
  })
})
