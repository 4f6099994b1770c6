import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { sweep } from '../../lib/billing/sweep.ts'
import { lastSweepTime } from '../../lib/billing/timing.ts'
import { organizationId } from '../billing/fixtures.ts'
import type { Fault } from './faults.ts'
import { buying, failing, openOrganization, otherOrganization } from './storiesGround.ts'
import { createWorld, type World } from './world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let world: World
beforeEach(async () => {
  world = createWorld(5)
  await openOrganization(world, organizationId, 'pm_card_visa')
  await world.deliverWebhooks()
})
afterEach(() => {
  expect(world.violations).toEqual([])
  world.close()
})

const neverSent: Fault = { at: '0/gateway.createSubscription#1', kind: 'crash before' }
const slotOf = async (id = organizationId) => (await world.records.readSlot(id, 'ota')).slot

/** Sweeps with these faults, and answers the report or how it ended otherwise. */
async function sweepNow(faults: readonly Fault[] = [], time = 2 * MINUTE) {
  const before = world.trace.length
  const other = faults.length > 0 ? createWorld(6, { faults }, world.begin()) : world
  const ending = await other.run((deps) => sweep(deps, deps.clock.now() + time))
  if (other !== world) {
    world.records.load(other.records.save())
    world.stripe.core.restore(other.stripe.core.snapshot())
    other.close()
  }
  return { ending, calls: other.trace.slice(other === world ? before : 0).length }
}
const report = (pending: number, oldestSeconds: number, swept: number, resolved: number) => ({
  kind: 'answered',
  value: { pending, oldestSeconds, swept, resolved },
})

describe('The times of the sweeper', () => {
  it.each([
    [0, undefined],
    [5 * MINUTE - 1, undefined],
    [5 * MINUTE, 5 * MINUTE],
    [HOUR - 1, 5 * MINUTE],
    [HOUR, HOUR],
    [DAY - 1, HOUR],
    [DAY, DAY],
    [3 * DAY - 1, 2 * DAY],
    [30 * DAY, 30 * DAY],
  ])('after %d ms, a purchase was last due at %p', (age, due) => {
    const firstSent = 1_795_000_000_000
    expect(lastSweepTime(firstSent, firstSent + age)).toBe(due === undefined ? undefined : firstSent + due)
  })
})

describe('The sweeper', () => {
  it('tries at five minutes, at an hour and once a day while the gateway is away, and not in between', async () => {
    await failing(world, buying({}), [neverSent])
    const unknown: Fault[] = [
      { at: '0/gateway.createSubscription#1', kind: 'not applied' },
      { at: '0/gateway.findSubscription#1', kind: 'not applied' },
    ]
    const tried: number[] = []
    let age = 0
    for (const at of [1, 4.9, 5, 6, 30, 59, 60, 61, 700, 1439, 1440, 1441, 2879, 2880].map((m) => m * MINUTE)) {
      await world.pass(at - age)
      age = at
      const { ending } = await sweepNow(unknown)
      const swept = ending.kind === 'answered' && JSON.stringify(ending.value).includes('"swept":1')
      if (swept) tried.push(at / MINUTE)
      expect((await slotOf()).state).toBe('pending')
    }
    expect(tried).toEqual([5, 60, 1440, 2880])
    await world.pass(DAY)
    expect((await sweepNow()).ending).toEqual(report(1, 3 * 86_400, 1, 1))
    expect((await slotOf()).state).toBe('none')
    expect((await sweepNow()).ending).toEqual(report(0, 0, 0, 0))
  })

  it('carries a purchase on that it has due, also where it did not run for hours', async () => {
    await failing(world, buying({}), [neverSent])
    await world.pass(3 * HOUR)
    expect((await sweepNow()).ending).toEqual(report(1, 3 * 3600, 1, 1))
    expect((await slotOf()).state).toBe('active')
  })

  it('leaves a purchase to the holder of its lease', async () => {
    await failing(world, buying({}), [neverSent])
    await world.pass(5 * MINUTE)
    await failing(world, buying({}), [neverSent])
    await world.pass(44 * SECOND)
    expect((await sweepNow()).ending).toEqual(report(1, 344, 0, 0))
    await world.pass(SECOND)
    expect((await sweepNow()).ending).toEqual(report(1, 345, 1, 1))
  })

  it('does not start a purchase in place of one that is gone', async () => {
    await failing(world, buying({ couponCode: 'half' }), [neverSent])
    await world.pass(25 * HOUR)
    expect((await sweepNow()).ending).toEqual(report(1, 25 * 3600, 1, 1))
    expect(await slotOf()).toMatchObject({ state: 'none', n: 1 })
    expect(world.records.save().redemptions).toEqual([])
    expect(world.stripe.core.control.state().subscriptions).toEqual([])
  })

  it('sends nothing where the take-over was not written or the key service is away, and tries again when due', async () => {
    await failing(world, buying({}), [neverSent])
    await world.pass(5 * MINUTE)
    for (const at of ['0/records.readSlot#1', '0/records.commit#1']) {
      expect((await sweepNow([{ at, kind: 'not applied' }])).ending).toMatchObject({ value: { resolved: 0 } })
    }
    const away: Fault = { at: '0/cipher.decrypt#1', kind: 'not applied' }
    expect((await sweepNow([away])).ending).toEqual(report(1, 300, 1, 0))
    expect(world.stripe.core.control.state().subscriptions).toEqual([])
    expect(await slotOf()).toMatchObject({ state: 'pending', claim: { leaseUntil: 0 } })
    await world.pass(55 * MINUTE)
    expect((await sweepNow()).ending).toEqual(report(1, 3600, 1, 1))
  })

  it('fails where the pending purchases cannot be listed', async () => {
    const { ending } = await sweepNow([{ at: '0/slots.listPending#1', kind: 'not applied' }])
    expect(ending).toMatchObject({ kind: 'failed', error: { code: 'service_unavailable' } })
  })

  // [catch sweep.sweepSafely]
  it('goes on with the others where one cannot be swept', async () => {
    await openOrganization(world, otherOrganization, 'pm_card_visa')
    await failing(world, buying({}), [neverSent])
    await world.pass(SECOND)
    await failing(world, buying({ organizationId: otherOrganization }), [neverSent])
    await world.pass(5 * MINUTE)
    const { ending } = await sweepNow([{ at: '0/records.readSlot#1', kind: 'not applied' }])
    expect(ending).toEqual(report(2, 301, 2, 1))
    expect((await slotOf()).state).toBe('pending')
    expect((await slotOf(otherOrganization)).state).toBe('active')
  })

  it('begins nothing that it has no time to finish', async () => {
    await failing(world, buying({}), [neverSent])
    await world.pass(5 * MINUTE)
    expect((await sweepNow([], 24 * SECOND)).ending).toEqual(report(1, 300, 0, 0))
    expect((await sweepNow([], 26 * SECOND)).ending).toEqual(report(1, 300, 1, 1))
  })
})
