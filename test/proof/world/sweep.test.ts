import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { nextSweep } from '../../../lib/billing/checkout/holdSlot.ts'
import { sweep } from '../../../lib/billing/checkout/sweep.ts'
import { organizationId } from '../../billing/fixtures.ts'
import type { Fault } from './faults/faults.ts'
import { buying, failing, openOrganization, otherOrganization } from './stories/storiesGround.ts'
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
    [0, 1],
    [1, 6],
    [6, 16],
    [16, 65],
    [65, 24 * 60],
    [24 * 60 - 1, 24 * 60],
    [24 * 60, 2 * 24 * 60],
    [30 * 24 * 60, 31 * 24 * 60],
  ])('%d min after the last sending, a purchase is due next at %d min', (age, due) => {
    const lastSent = 1_795_000_000_000
    expect(nextSweep(lastSent, lastSent + age * MINUTE)).toBe(lastSent + due * MINUTE)
  })
})

describe('The sweeper', () => {
  it('looks at 1, 6, 16 and 65 minutes and once a day while the gateway is away, and not in between', async () => {
    await failing(world, buying({}), [neverSent])
    const unknown: Fault[] = [{ at: '0/gateway.findSubscription#1', kind: 'not applied' }]
    const tried: number[] = []
    let age = 0
    const moments = [0.9, 1, 2, 5.9, 6, 15.9, 16, 64.9, 65, 66, 1439, 1440, 1441, 2879, 2880]
    for (const at of moments.map((minutes) => minutes * MINUTE)) {
      await world.pass(at - age)
      age = at
      const { ending } = await sweepNow(unknown)
      const swept = ending.kind === 'answered' && JSON.stringify(ending.value).includes('"swept":1')
      if (swept) tried.push(at / MINUTE)
      expect((await slotOf()).state).toBe('pending')
    }
    expect(tried).toEqual([1, 6, 16, 65, 1440, 2880])
    await world.pass(DAY)
    expect((await sweepNow()).ending).toEqual(report(1, 3 * 86_400, 1, 1))
    expect((await slotOf()).state).toBe('none')
    expect((await sweepNow()).ending).toEqual(report(0, 0, 0, 0))
  })

  // [bug 4]
  it('sends nothing, and frees what never arrived, also where it did not run for hours', async () => {
    await failing(world, buying({ couponCode: 'half' }), [neverSent])
    await world.pass(3 * HOUR)
    expect((await sweepNow()).ending).toEqual(report(1, 3 * 3600, 1, 1))
    expect(await slotOf()).toMatchObject({ state: 'none', n: 1 })
    expect(world.records.save().redemptions).toEqual([])
    expect(world.stripe.core.control.state().subscriptions).toEqual([])
  })

  // [bug 7]
  it('looks at those first that are due for the longest time, so that old ones do not keep new ones waiting', async () => {
    const away: Fault[] = [{ at: '0/gateway.findSubscription#1', kind: 'not applied' }]
    await failing(world, buying({}), [neverSent])
    await world.pass(66 * MINUTE)
    await sweepNow(away)
    await openOrganization(world, otherOrganization, 'pm_card_visa')
    await failing(world, buying({ organizationId: otherOrganization }), [neverSent])
    await world.pass(MINUTE)
    // The old one is not due before a day is over.
    expect((await sweepNow()).ending).toEqual(report(2, 67 * 60, 1, 0))
    await world.pass(DAY)
    const listed = await world.records.listPending()
    expect(listed.map(({ organizationId: id }) => id)).toEqual([otherOrganization, organizationId])
    expect((await sweepNow()).ending).toMatchObject({ value: { swept: 2, resolved: 2 } })
  })

  it('leaves a purchase to the holder of its lease', async () => {
    await failing(world, buying({}), [neverSent])
    await world.pass(HOUR)
    await failing(world, buying({}), [neverSent])
    await world.pass(44 * SECOND)
    expect((await sweepNow()).ending).toEqual(report(1, 3644, 0, 0))
    // The repeated request counts as a sending, a minute after which the sweeper looks.
    await world.pass(16 * SECOND)
    expect((await sweepNow()).ending).toEqual(report(1, 3660, 1, 0))
  })

  it('sends nothing where the take-over was not written or the key service is away, and tries again when due', async () => {
    await failing(world, buying({}), [neverSent])
    await world.pass(16 * MINUTE)
    for (const at of ['0/records.readSlot#1', '0/records.commit#1']) {
      expect((await sweepNow([{ at, kind: 'not applied' }])).ending).toMatchObject({ value: { resolved: 0 } })
    }
    const away: Fault = { at: '0/cipher.decrypt#1', kind: 'not applied' }
    expect((await sweepNow([away])).ending).toEqual(report(1, 960, 1, 0))
    expect(world.stripe.core.control.state().subscriptions).toEqual([])
    expect(await slotOf()).toMatchObject({ state: 'pending', claim: { leaseUntil: 0 } })
    await world.pass(49 * MINUTE)
    expect((await sweepNow()).ending).toEqual(report(1, 3900, 1, 1))
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
    await world.pass(16 * MINUTE)
    const { ending } = await sweepNow([{ at: '0/records.readSlot#1', kind: 'not applied' }])
    expect(ending).toEqual(report(2, 961, 2, 1))
    expect((await slotOf()).state).toBe('pending')
    expect((await slotOf(otherOrganization)).state).toBe('none')
  })

  it('begins nothing that it has no time to finish', async () => {
    await failing(world, buying({}), [neverSent])
    await world.pass(16 * MINUTE)
    expect((await sweepNow([], 24 * SECOND)).ending).toEqual(report(1, 960, 0, 0))
    expect((await sweepNow([], 26 * SECOND)).ending).toEqual(report(1, 960, 1, 1))
  })
})
