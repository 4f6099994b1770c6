import { beforeEach, describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { invoiceOf } from '../support/openEmulator.ts'
import { itemOf, openSubscriber } from '../support/openSubscriber.ts'
import { expectRefusal } from '../support/refusal.ts'

const shop = eachTest(openSubscriber)
const stripe = () => shop().stripe
let yearly: string
beforeEach(async () => {
  yearly = (await shop().newPrice(49_000, { recurring: { interval: 'year' } })).id
})

const day = 86_400
const near = (amount: number) => expect.closeTo(amount, -1)

describe('POST /v1/subscriptions/:id with a price of another interval', () => {
  it('starts a new period now and bills it less what was left of the old one', async () => {
    const created = await shop().buy()
    await shop().halfway(created)
    const changed = await shop().update(created.id, { items: [{ id: itemOf(created).id, price: yearly }] })
    expect(itemOf(changed).current_period_start).toBe(changed.billing_cycle_anchor)
    expect(itemOf(changed).current_period_end - shop().now()).toBeGreaterThan(364 * day)
    const shown = invoiceOf(changed)
    expect(shown).toMatchObject({ status: 'paid', billing_reason: 'subscription_update', total: near(49_000 - 2450) })
  })

  it('bills the new period in full with proration_behavior=none', async () => {
    const created = await shop().buy()
    const items = [{ id: itemOf(created).id, price: yearly }]
    expect(invoiceOf(await shop().update(created.id, { items, proration_behavior: 'none' })).total).toBe(49_000)
  })

  it('refuses another currency and mixed intervals', async () => {
    const created = await shop().buy()
    const euro = await shop().newPrice(4900, { currency: 'eur' })
    for (const items of [[{ id: itemOf(created).id, price: euro.id }], [{ price: yearly }]]) {
      await expectRefusal(shop().update(created.id, { items }), { statusCode: 400, param: 'items' })
    }
  })
})

describe('POST /v1/subscriptions/:id with billing_cycle_anchor', () => {
  it('starts a new period with now, billed less the unused time', async () => {
    const created = await shop().buy()
    await shop().halfway(created)
    const reset = await shop().update(created.id, { billing_cycle_anchor: { type: 'now' } })
    expect(reset.billing_cycle_anchor).toBeGreaterThan(created.billing_cycle_anchor)
    expect(itemOf(reset).current_period_start).toBe(reset.billing_cycle_anchor)
    expect(invoiceOf(reset).total).toEqual(near(2450))
  })

  it('changes nothing with unchanged', async () => {
    const created = await shop().buy()
    const same = await shop().update(created.id, { billing_cycle_anchor: { type: 'unchanged' } })
    const shown = [same.billing_cycle_anchor, invoiceOf(same).id]
    expect(shown).toEqual([created.billing_cycle_anchor, created.latest_invoice])
  })
})

describe('POST /v1/subscriptions/:id with trial_end', () => {
  it('ends the trial with now, and bills the first period', async () => {
    const created = await shop().buy({ trial_period_days: 30 })
    await shop().advance(day)
    const before = shop().now()
    const ended = await shop().update(created.id, { trial_end: 'now' })
    expect(ended).toMatchObject({ status: 'active', billing_cycle_anchor: ended.trial_end })
    expect(ended.trial_end).toBeGreaterThanOrEqual(before)
    expect(ended.trial_end).toBeLessThanOrEqual(shop().now())
    expect(invoiceOf(ended)).toMatchObject({ status: 'paid', total: 4900 })
  })

  it('moves the end of a trial and the billing date to a later time, without an invoice', async () => {
    const created = await shop().buy({ trial_period_days: 7 })
    const later = shop().now() + 20 * day
    const moved = await shop().update(created.id, { trial_end: later })
    expect([moved.status, moved.trial_end, itemOf(moved).current_period_end]).toEqual(['trialing', later, later])
    expect(invoiceOf(moved).id).toBe(created.latest_invoice)
    await shop().advance(20 * day + 7200)
    expect((await stripe().subscriptions.retrieve(created.id)).status).toBe('active')
    const shown = (await stripe().invoices.list({ subscription: created.id })).data.map(({ total }) => total)
    expect(shown).toEqual([4900, 0])
  })

  it('credits what is left of a paid period, which is free from then on', async () => {
    const created = await shop().buy()
    await shop().halfway(created)
    const free = await shop().update(created.id, { trial_end: shop().now() + 40 * day })
    expect(free.status).toBe('trialing')
    expect(invoiceOf(free)).toMatchObject({ status: 'paid', total: near(-2450), amount_due: 0 })
    expect(await stripe().customers.retrieve(shop().customer)).toMatchObject({ balance: near(-2450) })
  })

  it('answers 400 for a time in the past', async () => {
    const created = await shop().buy()
    const refused = shop().update(created.id, { trial_end: shop().now() - 1 })
    await expectRefusal(refused, { statusCode: 400, param: 'trial_end' })
  })

  it('makes a trial whose first payment fails past_due', async () => {
    const created = await shop().buy({ trial_period_days: 7 })
    await shop().replaceCard('pm_card_chargeCustomerFail')
    expect((await shop().update(created.id, { trial_end: 'now' })).status).toBe('past_due')
  })
})

describe('POST /v1/subscriptions/:id with discounts', () => {
  it('redeems a discount for the next invoice, replaces, keeps and clears it', async () => {
    const created = await shop().buy()
    const [half] = (await shop().update(created.id, { discounts: [{ coupon: 'HALF' }] })).discounts
    const both = await shop().update(created.id, { discounts: [{ discount: String(half) }, { coupon: 'ALL' }] })
    expect(both.discounts).toEqual([half, expect.stringMatching(/^di_/)])
    expect((await shop().update(created.id, { discounts: '' })).discounts).toEqual([])
    await shop().update(created.id, { discounts: [{ coupon: 'HALF' }] })
    await shop().advance(32 * day)
    expect((await stripe().invoices.list({ subscription: created.id, limit: 1 })).data[0]?.total).toBe(2450)
    await shop().advance(31 * day)
    expect((await stripe().invoices.list({ subscription: created.id, limit: 1 })).data[0]?.total).toBe(4900)
    await expectRefusal(shop().update(created.id, { discounts: [{ coupon: 'NONE' }] }), { code: 'resource_missing' })
  })

  it('removes a discount by DELETE /v1/subscriptions/:id/discount, once', async () => {
    const { id } = await shop().buy({ discounts: [{ coupon: 'ALL' }] })
    const found = await stripe().subscriptions.deleteDiscount(id)
    expect(found).toMatchObject({ object: 'discount', deleted: true, source: { coupon: 'ALL' } })
    expect((await stripe().subscriptions.retrieve(id)).discounts).toEqual([])
    expect(await shop().eventTypes()).toContain('customer.discount.deleted')
    await expectRefusal(stripe().subscriptions.deleteDiscount(id), { statusCode: 404 })
  })
})

describe('An update of items and discounts together', () => {
  it('credits at the old discount and charges at the new', async () => {
    const forever = await stripe().coupons.create({ percent_off: 50, duration: 'forever' })
    const created = await shop().buy({ discounts: [{ coupon: forever.id }] })
    const items = [{ id: itemOf(created).id, quantity: 2 }]
    const changed = await shop().update(created.id, { items, discounts: '', proration_behavior: 'always_invoice' })
    expect(invoiceOf(changed).lines.data.map(({ amount }) => amount)).toEqual([near(-2450), near(9800)])
  })
})

describe('proration_date', () => {
  it('prorates from that time, which must be in the period', async () => {
    const created = await shop().buy()
    await shop().halfway(created)
    const item = itemOf(created)
    const more = { proration_behavior: 'always_invoice' as const, proration_date: item.current_period_start }
    const changed = await shop().update(created.id, { items: [{ id: item.id, quantity: 2 }], ...more })
    expect(invoiceOf(changed).total).toBe(4900)
    const outside = { items: [{ id: item.id, quantity: 3 }], proration_date: item.current_period_end + 1 }
    await expectRefusal(shop().update(created.id, outside), { statusCode: 400, param: 'proration_date' })
  })
})
