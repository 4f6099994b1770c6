import { afterAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { createStripeCore } from '../../core/stripeCore.ts'
import { chance } from '../support/chance.ts'
import { openEmulator, secretKey } from '../support/openEmulator.ts'

const emulator = await openEmulator()
afterAll(() => emulator.close())

const idOf = (answer: { body: unknown }) => z.object({ id: z.string() }).parse(answer.body).id

function openCore(snapshot?: unknown) {
  const settings = { oneLivePer: ['organization_id', 'product'] }
  return createStripeCore({
    now: () => 1_800_000_000.5,
    random: chance(7),
    secretKeys: [secretKey],
    settings,
    snapshot,
  })
}

function openShop(core = openCore(), card = 'pm_card_visa') {
  const product = idOf(core.call('POST', '/v1/products', { id: 'prod_a', name: 'A' }))
  const price = idOf(
    core.call('POST', '/v1/prices', { product, unit_amount: 100, currency: 'usd', recurring: { interval: 'month' } }),
  )
  const customer = idOf(
    core.call('POST', '/v1/customers', { payment_method: card, invoice_settings: { default_payment_method: card } }),
  )
  const buy = (metadata: object) => core.call('POST', '/v1/subscriptions', { customer, items: [{ price }], metadata })
  return { core, customer, buy }
}

describe('createStripeCore', () => {
  it('answers the same ids and dates for the same time and chance', () => {
    const run = () => openShop().buy({ n: '1' })
    expect(run()).toEqual(run())
    expect(run().body).toMatchObject({ created: 1_800_000_000, status: 'active' })
  })

  it('continues from a snapshot with the same answers', () => {
    const { core, buy } = openShop()
    const id = idOf(buy({}))
    const json: unknown = JSON.parse(JSON.stringify(core.snapshot()))
    const resumed = openCore(json)
    expect(resumed.call('GET', `/v1/subscriptions/${id}`)).toEqual(core.call('GET', `/v1/subscriptions/${id}`))
    resumed.advance(32 * 86_400)
    expect(resumed.control.state().invoices).toHaveLength(2)
    expect(core.control.state().invoices).toHaveLength(1)
    expect(() => core.restore({ rows: {} })).toThrow(TypeError)
  })

  it('bills on the 31st again after a short month', () => {
    let now = Date.UTC(2027, 0, 31, 12) / 1000
    const core = createStripeCore({ now: () => now, random: chance(1), secretKeys: [secretKey] })
    const id = idOf(openShop(core).buy({}))
    const end = () => {
      const { body } = core.call('GET', `/v1/subscriptions/${id}`)
      const item = z.object({ current_period_end: z.number() })
      const [first] = z.object({ items: z.object({ data: z.array(item) }) }).parse(body).items.data
      return new Date((first?.current_period_end ?? 0) * 1000).toISOString().slice(0, 10)
    }
    expect(end()).toBe('2027-02-28')
    now += 29 * 86_400
    expect(end()).toBe('2027-03-31')
  })
})

describe('The money monitors', () => {
  it('report a second live subscription of one organization and product, with the requests that led to it', async () => {
    const { core, buy } = openShop()
    buy({ organization_id: 'o', product: 'ota' })
    buy({ organization_id: 'o', product: 'monitoring' })
    expect(core.violations()).toEqual([])
    const headers = { authorization: `Bearer ${secretKey}` }
    await core.handle({ method: 'GET', path: '/v1/prices?limit=1', headers, body: '' })
    buy({ organization_id: 'o', product: 'ota' })
    expect(core.violations()).toMatchObject([
      {
        rule: 'one_live_per_organization_id_and_product',
        message: expect.stringMatching(/^live at once for o, ota: sub_\w+, sub_\w+$/),
      },
    ])
    expect(core.violations()[0]?.trace).toMatchObject([{ method: 'GET', path: '/v1/prices', params: { limit: '1' } }])
  })

  it('report rows that were tampered with', () => {
    const { core, buy } = openShop(openCore(), 'pm_card_chargeCustomerFail')
    expect(buy({}).body).toMatchObject({ status: 'incomplete' })
    const state = core.snapshot()
    const [invoice] = Object.values(state.rows.invoices)
    if (invoice !== undefined) Object.assign(invoice, { total: 99, amount_paid: 1 })
    core.restore(state)
    expect(core.call('POST', `/v1/invoices/${invoice?.id}/void`).status).toBe(500)
    const shown = core.violations().map(({ rule }) => rule)
    expect(shown).toEqual(['total_is_lines_minus_discounts', 'amount_paid_is_charged'])
  })
})

describe('POST /_emulator/reset', () => {
  it('returns to the seeded catalog with its ids and to real time, keeps webhook endpoints, forgets the rest', async () => {
    const endpoint = emulator.core.registerWebhookEndpoint({
      url: 'http://127.0.0.1:9/hook',
      secret: 'whsec_a',
      enabledEvents: ['*'],
    })
    await emulator.control('POST', '/webhooks', { mode: 'hold' })
    const { id: customer } = await emulator.customerWith('pm_card_visa')
    const [code] = (await emulator.stripe.promotionCodes.list()).data
    await emulator.subscribe(customer, { discounts: [{ promotion_code: code?.id ?? '' }] })
    await emulator.stripe.prices.update(emulator.ota, { active: false })
    await emulator.advance(86_400)
    await emulator.control('POST', '/faults', { method: 'GET', path: '*', kind: 'drop_before' })
    const { now } = z.object({ now: z.number() }).parse(await emulator.control('POST', '/reset'))
    expect(Math.abs(now - Date.now() / 1000)).toBeLessThan(3)
    expect((await emulator.stripe.prices.list()).data.map(({ id }) => id)).toEqual([emulator.free, emulator.ota])
    expect((await emulator.stripe.promotionCodes.list()).data).toMatchObject([{ id: code?.id, times_redeemed: 0 }])
    await emulator.control('DELETE', '/requests')
    const state = emulator.core.control.state()
    expect(state.customers).toEqual([])
    expect(state.prices).toHaveLength(2)
    expect(state.webhook_endpoints).toMatchObject([{ id: endpoint }])
    expect([emulator.core.control.requests(), emulator.core.control.faults.scripted()]).toEqual([[], []])
    const found = await emulator.control('GET', '/state')
    expect(found).toMatchObject({ violations: [], coupons: [{ id: 'HALF' }, { id: 'ALL' }] })
  })
})

describe('GET /_emulator/', () => {
  it('returns the page', async () => {
    const response = await fetch(`${emulator.apiBase}/_emulator/`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await response.text()).toMatch('<html')
  })
})
