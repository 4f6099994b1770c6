import { describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { openSubscriber } from '../support/openSubscriber.ts'
import { expectRefusal } from '../support/refusal.ts'

const day = 86_400
const shop = eachTest(openSubscriber)
const stripe = () => shop().stripe

const invoices = async () =>
  (await stripe().invoices.list()).data.map(({ status, billing_reason }) => `${billing_reason} ${status}`)

describe('pause_collection', () => {
  it.each([
    ['keep_as_draft', 'draft'],
    ['mark_uncollectible', 'uncollectible'],
    ['void', 'void'],
  ] as const)('of %s leaves the subscription active and its renewal %s', async (behavior, status) => {
    const { id } = await shop().buy()
    const paused = await shop().update(id, { pause_collection: { behavior } })
    expect(paused).toMatchObject({ status: 'active', pause_collection: { behavior, resumes_at: null } })
    expect((await shop().eventTypes()).at(-1)).toBe('customer.subscription.updated')
    await shop().advance(32 * day)
    expect(await invoices()).toEqual([`subscription_cycle ${status}`, 'subscription_create paid'])
    expect((await stripe().subscriptions.retrieve(id)).status).toBe('active')
    expect((await stripe().charges.list({ customer: shop().customer })).data).toHaveLength(1)
  })

  it('ends when it is unset: the next renewal is charged, a kept draft is not', async () => {
    const { id } = await shop().buy()
    await shop().update(id, { pause_collection: { behavior: 'keep_as_draft' } })
    await shop().advance(32 * day)
    expect((await shop().update(id, { pause_collection: '' })).pause_collection).toBeNull()
    await shop().advance(31 * day)
    const found = await invoices()
    expect(found).toEqual(['subscription_cycle paid', 'subscription_cycle draft', 'subscription_create paid'])
  })

  it('ends at resumes_at, which lies ahead', async () => {
    const { id } = await shop().buy()
    const past = shop().update(id, { pause_collection: { behavior: 'void', resumes_at: shop().now() - 1 } })
    await expectRefusal(past, { statusCode: 400, param: 'pause_collection[resumes_at]' })
    await shop().update(id, { pause_collection: { behavior: 'void', resumes_at: shop().now() + 40 * day } })
    await shop().advance(41 * day)
    expect((await stripe().subscriptions.retrieve(id)).pause_collection).toBeNull()
    await shop().advance(25 * day)
    expect(await invoices()).toEqual(['subscription_cycle paid', 'subscription_cycle void', 'subscription_create paid'])
  })

  it('takes no other behavior', async () => {
    const { id } = await shop().buy()
    const other = shop().update(id, { pause_collection: { behavior: 'forget' } })
    await expectRefusal(other, { statusCode: 400, param: 'pause_collection[behavior]' })
  })
})
