import { beforeEach, describe, expect, it } from '@jest/globals'
import { CommonError } from '../../../lib/core/errors.ts'
import type { SendResult } from '../../../lib/events/delivery/ports.ts'
import { runDeliveries } from '../../../lib/events/delivery/runDeliveries.ts'
import type { Delivery } from '../../../lib/events/ports.ts'
import { answered, openDeliveryWorld } from './deliveryWorld.ts'
import { deliveryOf, endpointOf, made, uuid } from './fixtures.ts'

let { world, deps } = openDeliveryWorld()
beforeEach(() => {
  const opened = openDeliveryWorld()
  world = opened.world
  deps = opened.deps
})

const urlOf = (number: number) => `https://hook${number}.example/`

/** An endpoint with so many deliveries. */
async function put(number: number, count: number, changed = {}): Promise<Delivery[]> {
  await world.store.putEndpoint(endpointOf({ id: uuid(number), url: urlOf(number), ...changed }))
  const deliveries = Array.from({ length: count }, (_, at) =>
    deliveryOf({ id: uuid(number * 1000 + at), endpointId: uuid(number), event: { body: `${number}-${at}` } }),
  )
  for (const delivery of deliveries) await world.store.putDelivery(delivery)
  return deliveries
}

const run = (names: readonly Delivery[], source: 'stream' | 'schedule' = 'stream', finishBy = made + 50_000) =>
  runDeliveries(deps, names, { source, finishBy })
const bodies = () => world.sent.map(({ body }) => body)
const statusesOf = async (names: readonly Delivery[]) =>
  Promise.all(names.map(async (name) => (await world.store.findDelivery(name))?.status))

describe('A run of deliveries', () => {
  it('serves endpoints in turn', async () => {
    const names = [...(await put(1, 3)), ...(await put(2, 2))]
    expect(await run(names)).toEqual({ delivered: 5, failed: 0, unserved: [] })
    expect(bodies()).toEqual(['1-0', '2-0', '1-1', '2-1', '1-2'])
    expect(await world.store.takeTurn(endpointOf({ id: uuid(1) }), { now: made, until: made })).toMatchObject({
      turn: { place: 0 },
    })
  })

  // [threat 132]
  it('never waits for a hostile endpoint with the others', async () => {
    const hanging = Promise.withResolvers<SendResult>()
    const hostile = (await Promise.all(Array.from({ length: 20 }, (_, at) => put(at + 1, 3)))).flat()
    const healthy = await put(50, 20)
    world.answer = async ({ url }) => (url === urlOf(50) ? answered(200) : hanging.promise)
    const running = run([...hostile, ...healthy])
    for (let turns = 0; turns < 3000; turns += 1) await Promise.resolve()
    expect(await statusesOf(healthy)).toEqual(healthy.map(() => 'delivered'))
    hanging.resolve(answered(500))
    expect(await running).toMatchObject({ delivered: 20 })
  })

  // [threat 132]
  it('leaves lanes to the others if many endpoints are in trouble', async () => {
    const hanging = Promise.withResolvers<SendResult>()
    const troubled = await Promise.all(
      Array.from({ length: 40 }, (_, at) => put(at + 1, 1, { slowUntil: made + 60_000 })),
    )
    const healthy = await put(50, 3)
    world.answer = async ({ url }) => (url === urlOf(50) ? answered(200) : hanging.promise)
    const running = run([...troubled.flat(), ...healthy], 'schedule')
    for (let turns = 0; turns < 5000; turns += 1) await Promise.resolve()
    expect(await statusesOf(healthy)).toEqual(healthy.map(() => 'delivered'))
    expect(world.sent.filter(({ url }) => url !== urlOf(50))).toHaveLength(24)
    hanging.resolve(answered(200))
    expect(await running).toMatchObject({ delivered: 43 })
  })

  it('tries again after 5 s, and leaves the rest to the schedule', async () => {
    const names = await put(1, 3)
    world.answer = async () => answered(world.sent.length === 1 ? 500 : 200)
    expect(await run(names)).toEqual({ delivered: 1, failed: 1, unserved: [] })
    expect(world.sent.map(({ body, at }) => [body, at])).toEqual([
      ['1-0', made],
      ['1-0', made + 5000],
    ])
    expect(await statusesOf(names)).toEqual(['delivered', 'pending', 'pending'])
    expect(await run(names.slice(1), 'stream')).toEqual({ delivered: 0, failed: 0, unserved: [] })
    expect(await run(names.slice(1), 'schedule')).toEqual({ delivered: 2, failed: 0, unserved: [] })
  })

  it('leaves an endpoint after five failures in a row', async () => {
    const names = await put(1, 8)
    world.answer = async () => answered(500)
    expect(await run(names, 'schedule')).toEqual({ delivered: 0, failed: 6, unserved: [] })
    expect(bodies()).toEqual(['1-0', '1-1', '1-2', '1-3', '1-4', '1-0'])
  })

  it('begins nothing after its time', async () => {
    const names = await put(1, 3)
    world.answer = async () => {
      world.now += 1000
      return answered(200)
    }
    expect(await run(names, 'schedule', made + 1500)).toMatchObject({ delivered: 2 })
    expect(await statusesOf(names)).toEqual(['delivered', 'delivered', 'pending'])
  })

  it('serves an endpoint twice at a time at most', async () => {
    const names = await put(1, 3)
    const hanging = Promise.withResolvers<SendResult>()
    world.answer = () => hanging.promise
    const runs = names.map((name) => run([name]))
    for (let turns = 0; turns < 200; turns += 1) await Promise.resolve()
    expect(bodies()).toEqual(['1-0', '1-1'])
    hanging.resolve(answered(200))
    await Promise.all(runs)
    expect(await statusesOf(names)).toEqual(['delivered', 'delivered', 'pending'])
  })

  it('ends the deliveries of a deleted endpoint', async () => {
    const names = await put(1, 2)
    await world.store.removeEndpoint(uuid(1))
    expect(await run(names)).toEqual({ delivered: 0, failed: 0, unserved: [] })
    expect(await statusesOf(names)).toEqual(['failed', 'failed'])
    expect(world.sent).toEqual([])
  })

  // [catch runDeliveries.serveOnce]
  it('returns what the store did not let it serve, and serves the others', async () => {
    const [failing, others] = [await put(1, 2), await put(2, 2)]
    const { claim } = world.store
    world.store.claim = async (name, times) => {
      if (name.endpointId === uuid(1)) throw new CommonError('service_unavailable', { message: 'DynamoDB: down' })
      return claim(name, times)
    }
    const report = await run([...failing, ...others])
    expect(report).toMatchObject({ delivered: 2, failed: 0 })
    expect(report.unserved.map(({ id }) => id)).toEqual(failing.map(({ id }) => id))
    expect(world.logged).toMatchObject([{ message: 'Deliveries not made', fields: { endpointId: uuid(1) } }])
  })
})
