import { describe, expect, it } from '@jest/globals'
import { eachTest } from '../support/eachTest.ts'
import { openSubscriber } from '../support/openSubscriber.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'

const day = 86_400
const shop = eachTest(openSubscriber)
const stripe = () => shop().stripe

/** A subscription and its schedule. */
async function scheduled() {
  const { id } = await shop().buy()
  const schedule = await stripe().subscriptionSchedules.create({ from_subscription: id, metadata: { by: 'hand' } })
  return { id, schedule }
}
const read = (id: string) => stripe().subscriptions.retrieve(id, { expand: ['schedule'] })

describe('A subscription schedule', () => {
  it('has the present period as its only phase and is named by its subscription', async () => {
    const { id, schedule } = await scheduled()
    const { schedule: expanded, items } = await read(id)
    expect(expanded).toEqual(expect.objectContaining({ id: schedule.id, status: 'active', end_behavior: 'release' }))
    expect(schedule).toMatchObject({ subscription: id, metadata: { by: 'hand' }, phases: [{ currency: 'usd' }] })
    expect(schedule.current_phase?.end_date).toBe(items.data[0]?.current_period_end)
    expect((await stripe().subscriptionSchedules.list({ customer: shop().customer })).data).toHaveLength(1)
    expect(await shop().eventTypes()).toContain('subscription_schedule.created')
  })

  it.each([
    { cancel_at_period_end: true },
    { cancel_at: 2_000_000_000 },
    { cancel_at: '' as const },
    { cancel_at_period_end: false },
  ])('refuses an update of its subscription with %j, and leaves other updates alone', async (params) => {
    const { id, schedule } = await scheduled()
    const error = await refusal(shop().update(id, params))
    expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error' })
    expect(error.message).toBe(
      `The subscription is managed by the subscription schedule \`${schedule.id}\`, and updating any cancelation behavior directly is not ` +
        'allowed. Please update the schedule instead.',
    )
    expect((await shop().update(id, { metadata: { a: '1' } })).metadata).toEqual({ a: '1' })
  })

  it('lets its subscription go when it is released, once', async () => {
    const { id, schedule } = await scheduled()
    const { subscriptionSchedules } = stripe()
    const found = await subscriptionSchedules.release(schedule.id)
    expect(found).toMatchObject({ status: 'released', subscription: null, released_subscription: id })
    expect((await read(id)).schedule).toBeNull()
    expect((await shop().update(id, { cancel_at_period_end: true })).cancel_at_period_end).toBe(true)
    await expectRefusal(subscriptionSchedules.release(schedule.id), { statusCode: 400 })
  })

  it.each([
    [false, null],
    [true, expect.any(Number)],
  ])('takes the end that it has set along when it is released, unless that is preserved: %s', async (preserved, at) => {
    const { id, schedule } = await scheduled()
    const { subscriptionSchedules } = stripe()
    await subscriptionSchedules.update(schedule.id, { end_behavior: 'cancel' })
    await subscriptionSchedules.release(schedule.id, { preserve_cancel_date: preserved })
    expect((await read(id)).cancel_at).toEqual(at)
  })

  it('releases its subscription at the end of the phase', async () => {
    const { id, schedule } = await scheduled()
    await shop().advance(32 * day)
    expect((await stripe().subscriptionSchedules.retrieve(schedule.id)).status).toBe('released')
    expect(await read(id)).toMatchObject({ schedule: null, status: 'active' })
  })

  it('ends its subscription at the end of the phase where it was updated to cancel', async () => {
    const { id, schedule } = await scheduled()
    const { subscriptionSchedules } = stripe()
    await subscriptionSchedules.update(schedule.id, { end_behavior: 'cancel' })
    expect((await read(id)).cancel_at).toBe(schedule.current_phase?.end_date)
    await shop().advance(32 * day)
    expect((await read(id)).status).toBe('canceled')
    expect((await subscriptionSchedules.retrieve(schedule.id)).status).toBe('completed')
  })

  it('is canceled with a subscription that is canceled at once', async () => {
    const { id, schedule } = await scheduled()
    await stripe().subscriptions.cancel(id)
    expect((await stripe().subscriptionSchedules.retrieve(schedule.id)).status).toBe('canceled')
  })

  it('is refused for an unknown, an ended and a scheduled subscription', async () => {
    const { id } = await scheduled()
    const create = (from_subscription: string) => refusal(stripe().subscriptionSchedules.create({ from_subscription }))
    expect(await create('sub_none')).toMatchObject({ code: 'resource_missing', param: 'from_subscription' })
    expect((await create(id)).message).toMatch(/already attached to a schedule/)
    await stripe().subscriptions.cancel(id)
    expect(await create(id)).toMatchObject({ statusCode: 400 })
  })
})
