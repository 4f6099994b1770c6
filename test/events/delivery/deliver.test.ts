import { beforeEach, describe, expect, it } from '@jest/globals'
import { CommonError } from '../../../lib/core/errors.ts'
import { deliver } from '../../../lib/events/delivery/deliver.ts'
import { GIVE_UP_AFTER } from '../../../lib/events/delivery/retrySchedule.ts'
import { answered, openDeliveryWorld } from './deliveryWorld.ts'
import { deliveryOf, endpointOf, made, organizationId, uuid } from './fixtures.ts'

const BODY = '{"id":"evt_1"}'
const HOUR = 3_600_000
let { world, deps } = openDeliveryWorld()
const endpoint = endpointOf()
const delivery = deliveryOf()

beforeEach(async () => {
  const opened = openDeliveryWorld()
  world = opened.world
  deps = opened.deps
  await world.store.putEndpoint(endpoint)
  await world.store.putEvent({ organizationId, sequence: 1, body: BODY })
  await world.store.putDelivery(delivery)
})

const stored = () => world.store.findDelivery(delivery)
const storedEndpoint = () => world.store.findEndpoint(endpoint.id)

/** Tries the delivery whenever it is due, until it is settled. */
async function playUntilSettled() {
  for (let tries = 0; (await stored())?.status === 'pending'; tries += 1) {
    if (tries > 50) throw new Error('never settled')
    await deliver(deps, delivery)
    while ((await world.store.listDue(world.now)).length === 0 && (await stored())?.status === 'pending')
      world.now += HOUR / 60
  }
}

describe('A delivery', () => {
  it('sends the stored body, signed, and is settled', async () => {
    expect(await deliver(deps, delivery)).toEqual({ kind: 'delivered', isSlow: false })
    expect(world.sent).toEqual([
      {
        url: endpoint.url,
        body: BODY,
        at: made,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'console-backend',
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(made / 1000),
          'webhook-signature': `${organizationId} cipher evt_1 ${made} ${BODY}`,
        },
      },
    ])
    const lastAttempt = { at: made, responseStatus: 204, responseBody: '', error: null }
    expect(await stored()).toMatchObject({ status: 'delivered', attempts: 1, firstAttemptAt: made, lastAttempt })
    expect(await deliver(deps, delivery)).toEqual({ kind: 'skipped' })
    expect(world.sent).toHaveLength(1)
  })

  it('is signed with both secrets during a rotation, and with one after it', async () => {
    await world.store.putEndpoint({ ...endpoint, previous: { secret: 'old', until: made + 1 } })
    await deliver(deps, delivery)
    const again = deliveryOf({ id: uuid(101) })
    await world.store.putDelivery(again)
    world.now += 1
    await deliver(deps, again)
    expect(world.sent.map(({ headers }) => headers['webhook-signature']?.split('; ').length)).toEqual([2, 1])
  })

  it.each([
    [answered(500, 'oops'), { responseStatus: 500, responseBody: 'oops', error: null }],
    [answered(302), { responseStatus: 302, responseBody: '', error: null }],
    [answered(404), { responseStatus: 404, responseBody: '', error: null }],
    [
      { kind: 'not_answered', fault: 'timeout' } as const,
      { responseStatus: null, responseBody: null, error: 'timeout' },
    ],
  ])('is tried again 5 s after %j', async (result, attempt) => {
    world.answer = async () => result
    expect(await deliver(deps, delivery)).toEqual({ kind: 'failed', retryAt: made + 5000 })
    expect(await stored()).toMatchObject({
      status: 'pending',
      attempts: 1,
      nextAttemptAt: made + 5000,
      lastAttempt: { at: made, ...attempt },
    })
    expect(await storedEndpoint()).toMatchObject({ failingSince: made, slowUntil: made + 300_000 })
  })

  it('forgets failures of the endpoint when it is delivered', async () => {
    world.answer = async () => answered(503)
    await deliver(deps, delivery)
    world.answer = async () => answered(200)
    world.now += 5000
    await deliver(deps, delivery)
    expect(await storedEndpoint()).not.toHaveProperty('failingSince')
    expect(await stored()).toMatchObject({ status: 'delivered', attempts: 2, firstAttemptAt: made })
  })

  it('is tried for five days; then it has failed, and the endpoint is disabled with a notice', async () => {
    const waiting = deliveryOf({ id: uuid(101), createdAt: made + GIVE_UP_AFTER * 2 })
    await world.store.putDelivery(waiting)
    world.answer = async () => answered(500)
    await playUntilSettled()
    expect(world.sent).toHaveLength(11)
    expect(world.now - made).toBeGreaterThanOrEqual(GIVE_UP_AFTER)
    expect(world.now - made).toBeLessThan(GIVE_UP_AFTER + HOUR)
    expect(await stored()).toMatchObject({ status: 'failed', attempts: 11, nextAttemptAt: null })
    expect(await storedEndpoint()).toEqual({ ...endpoint, enabled: false, disabledReason: 'failing' })
    expect(await world.store.notices()).toEqual([endpoint.id])
    expect(await world.store.findDelivery(waiting)).toMatchObject({ status: 'failed' })
  })

  it('fails alone if another delivery succeeded meanwhile', async () => {
    world.answer = async ({ body }) => answered(body === BODY ? 500 : 200)
    await deliver(deps, delivery)
    const other = deliveryOf({ id: uuid(101), event: { body: 'other' } })
    await world.store.putDelivery(other)
    await deliver(deps, other)
    await playUntilSettled()
    expect(await stored()).toMatchObject({ status: 'failed' })
    expect(await storedEndpoint()).toMatchObject({ enabled: true })
    expect(await world.store.notices()).toEqual([])
  })

  it('disables the endpoint that answers 410, and ends what is pending', async () => {
    const waiting = deliveryOf({ id: uuid(101) })
    await world.store.putDelivery(waiting)
    world.answer = async () => answered(410, 'gone')
    expect(await deliver(deps, delivery)).toEqual({ kind: 'failed', retryAt: undefined })
    expect(await storedEndpoint()).toEqual({ ...endpoint, enabled: false, disabledReason: 'gone' })
    expect(await stored()).toMatchObject({
      status: 'failed',
      lastAttempt: { responseStatus: 410, responseBody: 'gone' },
    })
    expect(await world.store.findDelivery(waiting)).toMatchObject({ status: 'failed', attempts: 0 })
    expect(await world.store.notices()).toEqual([])
    expect(world.logged).toContainEqual({
      message: 'Endpoint disabled',
      fields: { endpointId: endpoint.id, organizationId, reason: 'gone' },
    })
  })

  // [catch endPending.endPending]
  it('leaves to their own time what cannot be ended with the endpoint', async () => {
    const waiting = deliveryOf({ id: uuid(101) })
    await world.store.putDelivery(waiting)
    world.store.endAll = () => Promise.reject(new CommonError('service_unavailable', { message: 'DynamoDB: down' }))
    world.answer = async () => answered(410)
    expect(await deliver(deps, delivery)).toEqual({ kind: 'failed', retryAt: undefined })
    expect(world.logged.map(({ message }) => message)).toEqual(['Endpoint disabled', 'Deliveries not ended'])
    await deliver(deps, waiting)
    expect(await world.store.findDelivery(waiting)).toMatchObject({ status: 'failed' })
    expect(world.sent).toHaveLength(1)
  })

  it('is tried again if the URL changed while the old one answered 410', async () => {
    world.answer = async () => {
      await world.store.putEndpoint({ ...endpoint, url: 'https://new.example/' })
      return answered(410)
    }
    expect(await deliver(deps, delivery)).toMatchObject({ kind: 'failed', retryAt: made + 5000 })
    expect(await storedEndpoint()).toMatchObject({ enabled: true })
  })

  it.each([
    ['its endpoint was deleted', () => world.store.removeEndpoint(endpoint.id)],
    ['its endpoint is disabled', () => world.store.putEndpoint({ ...endpoint, enabled: false })],
  ])('ends unsent if %s', async (_, change) => {
    await change()
    expect(await deliver(deps, delivery)).toEqual({ kind: 'skipped' })
    expect(world.sent).toEqual([])
    expect(await stored()).toMatchObject({ status: 'failed', attempts: 0, lastAttempt: null })
  })

  it('marks an endpoint that answers late, and still counts its success', async () => {
    world.answer = async () => {
      world.now += 2001
      return answered(200)
    }
    expect(await deliver(deps, delivery)).toEqual({ kind: 'delivered', isSlow: true })
    expect(await storedEndpoint()).toEqual({ ...endpoint, slowUntil: world.now + 300_000 })
  })
})
