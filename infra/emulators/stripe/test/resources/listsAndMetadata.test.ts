import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openEmulator } from '../support/openEmulator.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = await openEmulator()
afterAll(() => emulator.close())
const { stripe } = emulator

describe('Filters of lists', () => {
  let customer: string
  let old: { id: string; created: number; end: number }
  let fresh: { id: string; created: number; end: number }
  beforeAll(async () => {
    customer = (await emulator.customerWith('pm_card_visa')).id
    const buy = async (price: string) => {
      const { id, created, items } = await stripe.subscriptions.create({ customer, items: [{ price }] })
      return { id, created, end: items.data[0]?.current_period_end ?? 0 }
    }
    old = await buy(emulator.ota)
    await emulator.advance(5 * 86_400)
    fresh = await buy(emulator.free)
  })
  const found = async (filter: object) =>
    (await stripe.subscriptions.list({ customer, ...filter })).data.map(({ id }) => id)

  it('select subscriptions by time of creation and of the end of their period', async () => {
    expect(await found({ created: { gt: old.created } })).toEqual([fresh.id])
    expect(await found({ created: { lt: fresh.created, gte: old.created } })).toEqual([old.id])
    expect(await found({ created: fresh.created })).toEqual([fresh.id])
    expect(await found({ current_period_end: { lte: old.end } })).toEqual([old.id])
    expect(await found({ current_period_start: { gt: old.created } })).toEqual([fresh.id])
  })

  it('select subscriptions by price, plan, status and collection method', async () => {
    expect(await found({ price: emulator.ota })).toEqual([old.id])
    expect(await found({ plan: emulator.free })).toEqual([fresh.id])
    expect(await found({ status: 'active', collection_method: 'charge_automatically' })).toEqual([fresh.id, old.id])
    expect(await found({ collection_method: 'send_invoice' })).toEqual([])
  })

  it('select invoices by status, creation, collection method and due date', async () => {
    const totals = async (filter: object) =>
      (await stripe.invoices.list({ customer, ...filter })).data.map(({ total }) => total)
    expect(await totals({ status: 'paid' })).toEqual([0, 4900])
    expect(await totals({ created: { lt: fresh.created }, collection_method: 'charge_automatically' })).toEqual([4900])
    expect(await totals({ due_date: { gt: 0 } })).toEqual([])
    expect(await totals({ status: 'open' })).toEqual([])
  })

  it('go on after a row that they leave out by now', async () => {
    expect(await found({ price: emulator.ota, starting_after: fresh.id })).toEqual([old.id])
    expect(await found({ price: emulator.free, starting_after: old.id })).toEqual([])
    expect(await found({ price: emulator.free, ending_before: old.id })).toEqual([fresh.id])
  })

  it('refuse a limit above 100, two cursors, and an unknown filter', async () => {
    for (const filter of [{ limit: 101 }, { starting_after: old.id, ending_before: fresh.id }, { colour: 'red' }]) {
      await expectRefusal(stripe.subscriptions.list(filter), { statusCode: 400 })
    }
  })
})

describe('Metadata', () => {
  const keys = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`k${from + index}`, 'v']))
  const create = (metadata: Record<string, string>) => stripe.customers.create({ metadata })

  it('has 50 keys of 40 and values of 500 characters at most', async () => {
    expect(Object.keys((await create(keys(0, 50))).metadata)).toHaveLength(50)
    expect((await create({ ['k'.repeat(40)]: 'v'.repeat(500) })).object).toBe('customer')
    for (const metadata of [keys(0, 51), { ['k'.repeat(41)]: 'v' }, { k: 'v'.repeat(501) }]) {
      await expectRefusal(create(metadata), { statusCode: 400, type: 'StripeInvalidRequestError' })
    }
  })

  it('counts the keys that exist already, less those removed', async () => {
    const { id } = await create(keys(0, 50))
    const update = (metadata: Record<string, string>) => stripe.customers.update(id, { metadata })
    await expectRefusal(update({ more: 'v' }), { statusCode: 400, param: 'metadata' })
    expect((await update({ k0: '', more: 'v' })).metadata).toMatchObject({ more: 'v', k1: 'v' })
  })

  it('has no square brackets in its keys', async () => {
    await expectRefusal(create({ 'a[b]': 'v' }), { statusCode: 400 })
  })
})
