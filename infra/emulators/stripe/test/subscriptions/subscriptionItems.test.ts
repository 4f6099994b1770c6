import { beforeEach, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { eachTest } from '../support/eachTest.ts'
import { openSubscriber } from '../support/openSubscriber.ts'
import { expectRefusal } from '../support/refusal.ts'

const emulator = eachTest(openSubscriber)
const stripe = () => emulator().stripe
let created: Stripe.Subscription
beforeEach(async () => {
  created = await emulator().buy()
})
const first = () => created.items.data[0]?.id ?? ''
const quantities = async () =>
  (await stripe().subscriptionItems.list({ subscription: created.id })).data.map(({ quantity }) => quantity)

describe('Subscription items', () => {
  it('are added, changed, read and removed one at a time', async () => {
    const { subscriptionItems } = stripe()
    const added = await subscriptionItems.create({ subscription: created.id, price: emulator().free, quantity: 4 })
    expect(added).toMatchObject({ object: 'subscription_item', subscription: created.id, quantity: 4 })
    expect(await quantities()).toEqual([1, 4])
    const shown = (await subscriptionItems.update(added.id, { quantity: 5, metadata: { a: 'b' } })).metadata
    expect(shown).toEqual({ a: 'b' })
    expect((await subscriptionItems.retrieve(added.id)).quantity).toBe(5)
    expect(await subscriptionItems.del(added.id)).toEqual(expect.objectContaining({ id: added.id, deleted: true }))
    expect(await quantities()).toEqual([1])
  })

  it('bill as the subscription’s own update does', async () => {
    await stripe().subscriptionItems.update(first(), { quantity: 2, proration_behavior: 'always_invoice' })
    const invoices = await stripe().invoices.list({ subscription: created.id })
    expect(invoices.data.map(({ total }) => total)).toEqual([4900, 4900])
  })

  it('refuse a price twice, removal of the last item, and an unknown item', async () => {
    const { subscriptionItems } = stripe()
    const twice = subscriptionItems.create({ subscription: created.id, price: emulator().ota })
    await expectRefusal(twice, { statusCode: 400 })
    await expectRefusal(subscriptionItems.del(first()), { statusCode: 400 })
    await expectRefusal(subscriptionItems.retrieve('si_unknown'), { code: 'resource_missing' })
  })
})
