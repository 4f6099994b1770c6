import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { openSubscriber, type Subscriber } from '../support/openSubscriber.ts'
import { refusal } from '../support/refusal.ts'

let emulator: Subscriber
let created: Stripe.Subscription
beforeEach(async () => {
  emulator = await openSubscriber()
  created = await emulator.buy()
})
afterEach(async () => {
  expect(emulator.core.violations()).toEqual([])
  await emulator.close()
})
const first = () => created.items.data[0]?.id ?? ''
const quantities = async () =>
  (await emulator.stripe.subscriptionItems.list({ subscription: created.id })).data.map(({ quantity }) => quantity)

describe('Subscription items', () => {
  it('are added, changed, read and removed one at a time', async () => {
    const { subscriptionItems } = emulator.stripe
    const added = await subscriptionItems.create({ subscription: created.id, price: emulator.free, quantity: 4 })
    expect(added).toMatchObject({ object: 'subscription_item', subscription: created.id, quantity: 4 })
    expect(await quantities()).toEqual([1, 4])
    expect((await subscriptionItems.update(added.id, { quantity: 5, metadata: { a: 'b' } })).metadata).toEqual({
      a: 'b',
    })
    expect((await subscriptionItems.retrieve(added.id)).quantity).toBe(5)
    expect(await subscriptionItems.del(added.id)).toEqual(expect.objectContaining({ id: added.id, deleted: true }))
    expect(await quantities()).toEqual([1])
  })

  it('bill as the subscription’s own update does', async () => {
    await emulator.stripe.subscriptionItems.update(first(), { quantity: 2, proration_behavior: 'always_invoice' })
    const invoices = await emulator.stripe.invoices.list({ subscription: created.id })
    expect(invoices.data.map(({ total }) => total)).toEqual([4900, 4900])
  })

  it('refuse a price twice, removal of the last item, and an unknown item', async () => {
    const { subscriptionItems } = emulator.stripe
    const twice = subscriptionItems.create({ subscription: created.id, price: emulator.ota })
    expect(await refusal(twice)).toMatchObject({ statusCode: 400 })
    expect(await refusal(subscriptionItems.del(first()))).toMatchObject({ statusCode: 400 })
    expect(await refusal(subscriptionItems.retrieve('si_unknown'))).toMatchObject({ code: 'resource_missing' })
  })
})
