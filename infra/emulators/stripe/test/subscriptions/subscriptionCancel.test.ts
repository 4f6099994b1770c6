import { beforeEach, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { eachTest } from '../support/eachTest.ts'
import { openSubscriber } from '../support/openSubscriber.ts'

const emulator = eachTest(openSubscriber)
const stripe = () => emulator().stripe
let created: Stripe.Subscription
beforeEach(async () => {
  created = await emulator().buy()
  await emulator().halfway(created)
})
const near = (amount: number) => expect.closeTo(amount, -1)
const balance = async () => {
  const customer = await stripe().customers.retrieve(String(created.customer))
  return 'balance' in customer ? customer.balance : undefined
}
const totals = async () => (await stripe().invoices.list({ subscription: created.id })).data.map(({ total }) => total)
const moreSeats = () =>
  stripe().subscriptions.update(created.id, { items: [{ id: created.items.data[0]?.id ?? '', quantity: 2 }] })

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
    await moreSeats()
    await stripe().subscriptions.cancel(created.id, { invoice_now: true })
    expect(await totals()).toEqual([near(2450), 4900])
  })
})

describe('The scheduled end of a subscription', () => {
  it('charges pending prorations, and nothing where there are none', async () => {
    await moreSeats()
    await stripe().subscriptions.update(created.id, { cancel_at_period_end: true })
    await emulator().advance(20 * 86_400)
    expect((await stripe().subscriptions.retrieve(created.id)).status).toBe('canceled')
    expect(await totals()).toEqual([near(2450), 4900])
  })
})
