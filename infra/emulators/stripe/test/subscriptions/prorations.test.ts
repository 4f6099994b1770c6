import { beforeEach, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { eachTest } from '../support/eachTest.ts'
import { invoiceOf } from '../support/openEmulator.ts'
import { openSubscriber } from '../support/openSubscriber.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = eachTest(openSubscriber)
const stripe = () => emulator().stripe
let created: Stripe.Subscription
beforeEach(async () => {
  created = await emulator().buy()
  await emulator().halfway(created)
})

const change = (quantity: number, more: Stripe.SubscriptionUpdateParams = {}) =>
  stripe().subscriptions.update(created.id, { items: [{ id: created.items.data[0]?.id ?? '', quantity }], ...more })
const near = (amount: number) => expect.closeTo(amount, -1)
const balance = async () => {
  const customer = await stripe().customers.retrieve(String(created.customer))
  return 'balance' in customer ? customer.balance : undefined
}
const totals = async () => (await stripe().invoices.list({ subscription: created.id })).data.map(({ total }) => total)

describe('POST /v1/subscriptions/:id with items', () => {
  it('bills the difference for the rest of the period at once with always_invoice', async () => {
    const updated = await change(3, { proration_behavior: 'always_invoice', expand: ['latest_invoice'] })
    expect(updated.items.data[0]?.quantity).toBe(3)
    const invoice = invoiceOf(updated)
    expect(invoice).toMatchObject({ status: 'paid', billing_reason: 'subscription_update', total: near(4900) })
    const shown = invoice.lines.data.map((line) => [line.amount, line.parent?.subscription_item_details?.proration])
    expect(shown).toEqual([
      [near(-2450), true],
      [near(7350), true],
    ])
  })

  it('puts the difference on the next invoice by default', async () => {
    const updated = await change(2)
    expect(updated.latest_invoice).toBe(created.latest_invoice)
    await emulator().advance(17 * 86_400)
    const renewed = await stripe().subscriptions.retrieve(created.id, { expand: ['latest_invoice'] })
    const shown = invoiceOf(renewed)
    expect(shown).toMatchObject({ status: 'paid', total: near(2450 + 9800), lines: { data: { length: 3 } } })
  })

  it('credits the customer when less is owed, and spends the credit on the next invoice', async () => {
    const item = created.items.data[0]?.id ?? ''
    await stripe().subscriptions.update(created.id, {
      items: [{ id: item, deleted: true }, { price: emulator().free }],
      proration_behavior: 'always_invoice',
    })
    const customer = await stripe().customers.retrieve(String(created.customer))
    expect(customer).toMatchObject({ balance: near(-2450) })
    const cheap = await emulator().subscribe(String(created.customer), {
      discounts: [{ coupon: (await stripe().coupons.create({ percent_off: 90 })).id }],
      expand: ['latest_invoice'],
    })
    expect([cheap.status, invoiceOf(cheap).total, invoiceOf(cheap).amount_due]).toEqual(['active', 490, 0])
    const second = await emulator().subscribe(String(created.customer), { expand: ['latest_invoice'] })
    expect(invoiceOf(second)).toMatchObject({ total: 4900, starting_balance: near(-1960), amount_paid: near(2940) })
    expect(await stripe().customers.retrieve(String(created.customer))).toMatchObject({ balance: 0 })
  })

  it('bills nothing with proration_behavior=none', async () => {
    await change(5, { proration_behavior: 'none' })
    expect((await stripe().invoices.list({ subscription: created.id })).data).toHaveLength(1)
  })

  it('refuses an unknown item, removal of the last item, and with error_if_incomplete a payment that fails', async () => {
    const refuses = (params: Stripe.SubscriptionUpdateParams, expected: object) =>
      expectRefusal(stripe().subscriptions.update(created.id, params), expected)
    const id = created.items.data[0]?.id ?? ''
    await refuses(
      { items: [{ id: 'si_unknown', quantity: 2 }] },
      {
        statusCode: 400,
        param: 'items[0][id]',
      },
    )
    await refuses({ items: [{ id, deleted: true }] }, { statusCode: 400, param: 'items' })
    const customer = String(created.customer)
    const bad = await stripe().paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await stripe().subscriptions.update(created.id, { default_payment_method: bad.id })
    const failing = { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' } as const
    await refuses(
      { items: [{ id, quantity: 9 }], ...failing },
      {
        statusCode: 402,
        code: 'card_declined',
      },
    )
    expect((await stripe().subscriptions.retrieve(created.id)).items.data[0]?.quantity).toBe(1)
  })
})

describe('DELETE /v1/subscriptions/:id', () => {
  it('credits nothing by default', async () => {
    expect((await stripe().subscriptions.cancel(created.id)).status).toBe('canceled')
    expect([await totals(), await balance()]).toEqual([[4900], 0])
  })

  it('credits the unused time to the customer with prorate and invoice_now', async () => {
    const ended = await stripe().subscriptions.cancel(created.id, { prorate: true, invoice_now: true })
    expect([await totals(), await balance()]).toEqual([[near(-2450), 4900], near(-2450)])
    expect(ended.latest_invoice).not.toBe(created.latest_invoice)
  })

  it('writes no invoice with prorate alone', async () => {
    await stripe().subscriptions.cancel(created.id, { prorate: true })
    expect([await totals(), await balance()]).toEqual([[4900], 0])
  })

  it('charges pending prorations with invoice_now alone', async () => {
    await change(2)
    await stripe().subscriptions.cancel(created.id, { invoice_now: true })
    expect(await totals()).toEqual([near(2450), 4900])
  })
})

describe('The scheduled end of a subscription', () => {
  it('charges pending prorations, and nothing where there are none', async () => {
    await change(2)
    await stripe().subscriptions.update(created.id, { cancel_at_period_end: true })
    await emulator().advance(20 * 86_400)
    expect((await stripe().subscriptions.retrieve(created.id)).status).toBe('canceled')
    expect(await totals()).toEqual([near(2450), 4900])
  })
})
