import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { projectEvent } from '../../../lib/billing/events/projectEvent.ts'
import { organizationId } from '../../billing/fixtures.ts'
import type { Choose } from './orders/gate.ts'
import { buying, customerOf, openOrganization } from './stories/storiesGround.ts'
import { createWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = createWorld(3)
  await openOrganization(world, organizationId, 'pm_card_visa')
  await world.deliverWebhooks()
  await world.stripe.sdk.customers.del(customerOf(world))
})
afterEach(() => {
  expect(world.violations).toEqual([])
  world.close()
})

/** The purchase reads, the webhook forgets the customer, and then the purchase goes on. */
const readThenForget: Choose = (ready) => {
  const reading = ready.find(({ method }) => method === 'records.read')
  // The webhook began second.
  const [last] = ready.toSorted((one, other) => other.invocation - one.invocation)
  const next = reading ?? last
  if (!next) throw new Error('There is no call to choose')
  return next
}

describe('A purchase that read its organization before the customer was forgotten', () => {
  it('claims and sends nothing, and buys with a new customer when it is sent again', async () => {
    const event = world.owedEvents().find(({ kind }) => kind === 'customer_deleted')
    if (!event) throw new Error('No event of the deletion is owed')
    const before = world.stripe.core.control.requests().length
    const [bought, forgotten] = await world.runTogether<unknown>(
      [buying({ couponCode: 'free' }), (deps) => projectEvent(deps, event)],
      readThenForget,
    )
    expect(forgotten).toEqual({ kind: 'answered', value: undefined })
    expect(bought).toMatchObject({ kind: 'answered', value: [{ ok: false, error: 'gateway_unavailable' }] })
    expect((await world.records.readSlot(organizationId, 'ota')).slot).toMatchObject({ state: 'none', n: 0 })
    const sent = world.stripe.core.control.requests().slice(before)
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])

    const again = await world.run(buying({ couponCode: 'free' }))
    expect(again).toMatchObject({ value: [{ ok: true, status: 'active' }] })
    const { account, slot } = await world.records.readSlot(organizationId, 'ota')
    expect(slot).toMatchObject({ state: 'active', n: 1 })
    expect(account).toMatchObject({ customerRev: 1, customer: expect.anything() })
  })
})
