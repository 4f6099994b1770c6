import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const emulator = await openEmulator({ settings: { oneLivePer: ['organization_id', 'product'] } })
const { stripe } = emulator
afterAll(() => emulator.close())
beforeEach(() => emulator.control('POST', '/reset'))

const names = { organization_id: 'org_1', product: 'ota' }
async function buy(options: { idempotencyKey?: string } = {}, more: { trial_period_days?: number } = {}) {
  const { id: customer } = await emulator.customerWith('pm_card_visa')
  const params = { customer, items: [{ price: emulator.ota }], metadata: names, ...more }
  const create = () => stripe.subscriptions.create(params, options)
  return { customer, create }
}
const oneLive = 'one_live_per_organization_id_and_product'

describe('A write that breaks the books', () => {
  it('answers 500 naming the rule, replays it under its key, and is not rolled back', async () => {
    await (await buy()).create()
    const { customer, create } = await buy({ idempotencyKey: 'twin' })
    const broken = { statusCode: 500, code: 'books_violated', message: expect.stringContaining(oneLive) }
    await expectRefusal(create(), broken)
    await expectRefusal(create(), { ...broken, headers: { 'idempotent-replayed': 'true' } })
    expect((await stripe.subscriptions.list({ customer })).data).toHaveLength(1)
  })

  it('is listed in the state with the requests that led to it, the write itself last', async () => {
    const { create } = await buy()
    await create()
    await refusal(create())
    expect(await emulator.control('GET', '/state')).toMatchObject({ violations: [{ rule: oneLive }] })
    expect(await emulator.control('GET', '/violations')).toEqual({ violations: emulator.core.violations() })
    const trace = emulator.core.violations()[0]?.trace ?? []
    const shown = trace.map(({ method, path }) => `${method} ${path}`)
    expect(shown).toEqual(['POST /v1/customers', 'POST /v1/subscriptions', 'POST /v1/subscriptions'])
    expect(trace.at(-1)).toMatchObject({ params: { metadata: names }, id: expect.stringMatching(/^req_/) })
  })

  it('is reported by the next answer when its own is lost', async () => {
    const { create } = await buy()
    await create()
    await emulator.control('POST', '/faults', { method: 'POST', path: '*', kind: 'drop_after', times: 2 })
    await expectRefusal(create(), { type: 'StripeConnectionError' })
    await expectRefusal(stripe.prices.list(), { statusCode: 500, code: 'books_violated' })
    expect((await stripe.prices.list()).data).toHaveLength(2)
  })

  it('makes a control that broke the books answer 500, too', async () => {
    const { id: customer } = await emulator.customerWith('pm_card_authenticationRequired')
    const { latest_invoice } = await emulator.subscribe(customer, {
      metadata: names,
      expand: ['latest_invoice.payments'],
    })
    await (await buy()).create()
    const invoice = typeof latest_invoice === 'string' ? null : latest_invoice
    const intent = String(invoice?.payments?.data[0]?.payment.payment_intent)
    expect(await emulator.authenticate(intent, 'succeed')).toMatchObject({ error: { code: 'books_violated' } })
  })

  it('is accepted while the rule is not configured', async () => {
    await emulator.control('POST', '/settings', { one_live_per: [] })
    const { create } = await buy()
    await create()
    expect((await create()).status).toBe('active')
    expect(emulator.core.violations()).toEqual([])
  })
})
