import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { openStandIn, refusal, type StandIn } from './openEmulator.ts'

const standIn: StandIn = await openStandIn({ settings: { oneLivePer: ['organization_id', 'product'] } })
afterAll(() => standIn.close())
beforeEach(() => standIn.control('POST', '/reset'))

const names = { organization_id: 'org_1', product: 'ota' }
async function buy(options: { idempotencyKey?: string } = {}, more: { trial_period_days?: number } = {}) {
  const { id: customer } = await standIn.customerWith('pm_card_visa')
  const params = { customer, items: [{ price: standIn.ota }], metadata: names, ...more }
  const create = () => standIn.stripe.subscriptions.create(params, options)
  return { customer, create }
}
const oneLive = 'one_live_per_organization_id_and_product'

describe('A write that breaks the books', () => {
  it('answers 500 naming the rule, under its key again and again, and stays written', async () => {
    await (await buy()).create()
    const { customer, create } = await buy({ idempotencyKey: 'twin' })
    const broken = { statusCode: 500, code: 'books_violated', message: expect.stringContaining(oneLive) }
    expect(await refusal(create())).toMatchObject(broken)
    expect(await refusal(create())).toMatchObject({ ...broken, headers: { 'idempotent-replayed': 'true' } })
    expect((await standIn.stripe.subscriptions.list({ customer })).data).toHaveLength(1)
  })

  it('is in the state with the requests that led to it, itself the last', async () => {
    const { create } = await buy()
    await create()
    await refusal(create())
    expect(await standIn.control('GET', '/state')).toMatchObject({ violations: [{ rule: oneLive }] })
    const trace = standIn.core.violations()[0]?.trace ?? []
    expect(trace.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/customers',
      'POST /v1/subscriptions',
      'POST /v1/subscriptions',
    ])
    expect(trace.at(-1)).toMatchObject({ params: { metadata: names }, id: expect.stringMatching(/^req_/) })
  })

  it('is told by the next answer when its own is lost', async () => {
    const { create } = await buy()
    await create()
    await standIn.control('POST', '/faults', { method: 'POST', path: '*', kind: 'drop_after', times: 2 })
    expect(await refusal(create())).toMatchObject({ type: 'StripeConnectionError' })
    expect(await refusal(standIn.stripe.prices.list())).toMatchObject({ statusCode: 500, code: 'books_violated' })
    expect((await standIn.stripe.prices.list()).data).toHaveLength(2)
  })

  it('makes a control that broke the books answer 500, too', async () => {
    const { id: customer } = await standIn.customerWith('pm_card_authenticationRequired')
    const { latest_invoice } = await standIn.stripe.subscriptions.create({
      customer,
      items: [{ price: standIn.ota }],
      metadata: names,
      expand: ['latest_invoice.payments'],
    })
    await (await buy()).create()
    const invoice = typeof latest_invoice === 'string' ? null : latest_invoice
    const intent = String(invoice?.payments?.data[0]?.payment.payment_intent)
    expect(await standIn.authenticate(intent, 'succeed')).toMatchObject({ error: { code: 'books_violated' } })
  })

  it('is not one before the rule is asked for', async () => {
    await standIn.control('POST', '/settings', { one_live_per: [] })
    const { create } = await buy()
    await create()
    expect((await create()).status).toBe('active')
    expect(standIn.core.violations()).toEqual([])
  })
})
