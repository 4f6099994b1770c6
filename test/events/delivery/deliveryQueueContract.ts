import { beforeEach, expect, it } from '@jest/globals'
import type { ClaimedDelivery } from '../../../lib/events/delivery/ports.ts'
import type { Delivery } from '../../../lib/events/ports.ts'
import { deliveryOf, endpointOf, made, organizationId, uuid } from './fixtures.ts'
import type { DeliveriesInMemory } from './inMemoryDeliveries.ts'

const attempt = { at: made, responseStatus: 500, responseBody: 'no', error: null }
const CLAIM = { now: made, until: made + 30_000 }

/** What every store of deliveries does. Each test has an endpoint and a delivery of its own. */
export function describeDeliveryQueue(subject: () => DeliveriesInMemory): void {
  let next = 0
  let endpoint = endpointOf()
  let delivery: Delivery = deliveryOf()

  beforeEach(async () => {
    next += 1
    endpoint = endpointOf({ id: uuid(next) })
    delivery = deliveryOf({ id: uuid(100 + next), endpointId: endpoint.id })
    await subject().putEndpoint(endpoint)
    await subject().putDelivery(delivery)
  })

  const stored = () => subject().findDelivery(delivery)
  const storedEndpoint = () => subject().findEndpoint(endpoint.id)
  const dueIds = async (now: number) =>
    (await subject().listDue(now)).filter(({ endpointId }) => endpointId === endpoint.id).map(({ id }) => id)
  const claimed = async (): Promise<ClaimedDelivery> => {
    const result = await subject().claim(delivery, CLAIM)
    if (result === undefined) throw new Error('not claimed')
    return result
  }

  it('lists what is due, the earliest first', async () => {
    const earlier = deliveryOf({ id: uuid(200 + next), endpointId: endpoint.id, createdAt: made - 5000 })
    await subject().putDelivery(earlier)
    expect(await dueIds(made - 5001)).toEqual([])
    expect(await dueIds(made - 1)).toEqual([earlier.id])
    expect(await subject().listDue(made)).toEqual(
      expect.arrayContaining([
        { owner: organizationId, endpointId: endpoint.id, createdAt: made, id: delivery.id },
        { owner: organizationId, endpointId: endpoint.id, createdAt: made - 5000, id: earlier.id },
      ]),
    )
    expect(await dueIds(made)).toEqual([earlier.id, delivery.id])
  })

  it('lists a backlog whole', async () => {
    const backlog = Array.from({ length: 600 }, (_, at) =>
      deliveryOf({ id: uuid(10_000 + at), endpointId: endpoint.id }),
    )
    await Promise.all(backlog.map((each) => subject().putDelivery(each)))
    expect(await dueIds(made)).toHaveLength(601)
    await subject().endAll(endpoint.id)
    expect(await dueIds(made)).toEqual([])
  })

  it('has two places at an endpoint, which are given back or lapse', async () => {
    const take = (now: number, until: number) => subject().takeTurn(endpoint, { now, until })
    expect(await take(made, made + 10)).toEqual({ kind: 'taken', turn: { place: 0, until: made + 10 }, endpoint })
    expect(await take(made, made + 20)).toMatchObject({ turn: { place: 1, until: made + 20 } })
    expect(await take(made, made + 30)).toEqual({ kind: 'busy' })
    await subject().endTurn(endpoint, { place: 0, until: made + 9 })
    expect(await take(made, made + 30)).toEqual({ kind: 'busy' })
    await subject().endTurn(endpoint, { place: 0, until: made + 10 })
    expect(await take(made, made + 30)).toMatchObject({ turn: { place: 0 } })
    expect(await take(made + 21, made + 40)).toMatchObject({ turn: { place: 1 } })
    await subject().removeEndpoint(endpoint.id)
    expect(await take(made + 99, made + 100)).toEqual({ kind: 'gone' })
    await subject().endTurn(endpoint, { place: 1, until: made + 40 })
    expect(await storedEndpoint()).toBeUndefined()
  })

  it('lets one worker claim a delivery, until the claim lapses', async () => {
    expect(await subject().claim(delivery, { now: made - 1, until: made })).toBeUndefined()
    expect(await claimed()).toEqual({ ...delivery, attempts: 1, firstAttemptAt: made, until: CLAIM.until })
    expect(await subject().claim(delivery, CLAIM)).toBeUndefined()
    const later = { now: CLAIM.until, until: CLAIM.until + 1 }
    expect(await subject().claim(delivery, later)).toMatchObject({ attempts: 2, firstAttemptAt: CLAIM.until })
  })

  it('reads the endpoint and the body, wherever it is', async () => {
    expect(await subject().read(delivery)).toEqual({ endpoint, body: undefined })
    await subject().putEvent({ organizationId, sequence: next, body: '{"a":1}' })
    expect(await subject().read({ ...delivery, event: { organizationId, sequence: next } })).toEqual({
      endpoint,
      body: '{"a":1}',
    })
    expect(await subject().read({ ...delivery, event: { body: 'test' } })).toEqual({ endpoint, body: 'test' })
    await subject().removeEndpoint(endpoint.id)
    expect(await subject().read({ ...delivery, event: { body: 'test' } })).toEqual({
      endpoint: undefined,
      body: 'test',
    })
  })

  it('settles a delivery that is to be tried again, or ended later', async () => {
    const again = { kind: 'try', at: made + 5000 } as const
    const failure = { status: 'pending', attempts: 1, lastAttempt: attempt } as const
    await subject().settle(await claimed(), { ...failure, next: again })
    const tried = { ...delivery, attempts: 1, firstAttemptAt: made, nextAttemptAt: made + 5000, lastAttempt: attempt }
    expect(await stored()).toEqual(tried)
    expect(await dueIds(made + 4999)).toEqual([])
    expect(await dueIds(made + 5000)).toEqual([delivery.id])
    const second = await subject().claim(delivery, { now: made + 5000, until: made + 9000 })
    expect(second).toMatchObject({ attempts: 2, firstAttemptAt: made })
    if (second) await subject().settle(second, { ...failure, attempts: 2, next: { kind: 'end', at: made + 9999 } })
    expect(await stored()).toEqual({ ...tried, attempts: 2, nextAttemptAt: null })
    expect(await dueIds(made + 9999)).toEqual([delivery.id])
  })

  it.each(['delivered', 'failed'] as const)('settles a delivery that has %s for good', async (status) => {
    await subject().settle(await claimed(), { status, attempts: 1, lastAttempt: attempt })
    expect(await stored()).toEqual({ ...delivery, status, attempts: 1, firstAttemptAt: made, lastAttempt: attempt })
    expect(await dueIds(made * 2)).toEqual([])
    expect(await subject().claim(delivery, { now: made * 2, until: made * 3 })).toBeUndefined()
  })

  it('counts a late success, and no late failure', async () => {
    const first = await claimed()
    const second = await subject().claim(delivery, { now: CLAIM.until, until: CLAIM.until + 1000 })
    await subject().settle(first, { status: 'failed', attempts: 1, lastAttempt: attempt })
    expect(await stored()).toMatchObject({ status: 'pending', attempts: 2 })
    await subject().settle(first, { status: 'delivered', attempts: 1, lastAttempt: null })
    if (second) await subject().settle(second, { status: 'failed', attempts: 2, lastAttempt: attempt })
    expect(await stored()).toMatchObject({ status: 'delivered', attempts: 1, lastAttempt: null })
  })

  it('notes since when an endpoint fails, until it succeeds', async () => {
    await subject().noteTrouble(endpoint, { slowUntil: made + 1 })
    expect(await storedEndpoint()).toEqual({ ...endpoint, slowUntil: made + 1 })
    await subject().noteTrouble(endpoint, { failedAt: made, slowUntil: made + 2 })
    await subject().noteTrouble(endpoint, { failedAt: made + 7, slowUntil: made + 3 })
    expect(await storedEndpoint()).toEqual({ ...endpoint, slowUntil: made + 3, failingSince: made })
    await subject().noteSuccess(endpoint)
    expect(await storedEndpoint()).toEqual({ ...endpoint, slowUntil: made + 3 })
    await subject().removeEndpoint(endpoint.id)
    await subject().noteTrouble(endpoint, { failedAt: made, slowUntil: made })
    await subject().noteSuccess(endpoint)
    expect(await storedEndpoint()).toBeUndefined()
  })

  it('disables an endpoint that is gone, unless its URL was changed', async () => {
    expect(await subject().disable({ ...endpoint, url: 'https://old.example/' }, 'gone', made)).toBe(false)
    expect(await storedEndpoint()).toEqual(endpoint)
    expect(await subject().disable(endpoint, 'gone', made)).toBe(true)
    expect(await storedEndpoint()).toEqual({ ...endpoint, enabled: false, disabledReason: 'gone' })
    expect(await subject().disable(endpoint, 'gone', made)).toBe(false)
    expect(await subject().notices()).not.toContain(endpoint.id)
  })

  it('disables an endpoint that fails, with a notice, unless it succeeded meanwhile', async () => {
    const failing = { ...endpoint, failingSince: made }
    expect(await subject().disable(failing, 'failing', made)).toBe(false)
    await subject().noteTrouble(endpoint, { failedAt: made, slowUntil: made + 1 })
    expect(await subject().disable(failing, 'failing', made)).toBe(true)
    expect(await storedEndpoint()).toEqual({ ...endpoint, enabled: false, disabledReason: 'failing' })
    expect(await subject().notices()).toContain(endpoint.id)
  })

  it('tells nobody about an endpoint of the operator', async () => {
    const own = endpointOf({ id: uuid(300 + next), owner: 'operator', failingSince: made })
    await subject().putEndpoint(own)
    expect(await subject().disable(own, 'failing', made)).toBe(true)
    expect(await subject().notices()).not.toContain(own.id)
  })

  it('ends what is pending at an endpoint, also what a worker has claimed', async () => {
    const settled = deliveryOf({ id: uuid(400 + next), endpointId: endpoint.id })
    await subject().putDelivery(settled)
    const held = await subject().claim(settled, CLAIM)
    if (held) await subject().settle(held, { status: 'delivered', attempts: 1, lastAttempt: null })
    const own = await claimed()
    await subject().endAll(endpoint.id)
    expect(await subject().findDelivery(settled)).toMatchObject({ status: 'delivered' })
    expect(await stored()).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(await dueIds(made * 2)).toEqual([])
    await subject().settle(own, { status: 'delivered', attempts: 1, lastAttempt: null })
    expect(await stored()).toMatchObject({ status: 'failed' })
  })
}
