import { describe, expect, it } from '@jest/globals'
import { claimed, emptySlot } from '../../lib/billing/slot/slot.ts'
import { organizationIdSchema, userIdSchema } from '../../lib/core/ids.ts'
import { billingState, bought } from './billingState.ts'
import { claimAt } from './fixtures.ts'
import { useCleanStack } from './useCleanStack.ts'

const bed = useCleanStack({ schedules: true })

const MINUTE = 60
const HOUR = 60 * MINUTE

/** A purchase that got no answer and is not sent again, with its webhooks held. */
async function leftPending(kind: 'drop_before' | 'drop_after', testCard = 'pm_card_visa') {
  const { stack } = bed
  const { organizationId, card } = await stack.organizationWithCard(testCard)
  const { id, code } = await stack.newCoupon()
  await stack.emulator.webhooks('hold')
  await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind, times: 2 })
  const lost = await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
  expect(lost.outcomes).toEqual(['gateway_unavailable'])
  expect(await stack.slot(organizationId)).toMatchObject({ state: 'pending', n: 1 })
  return { organizationId, card, couponId: id }
}

const stateOf = async (organizationId: string) => (await bed.stack.slot(organizationId))?.state

describe('The sweep of a purchase whose outcome is unknown', () => {
  it('records a purchase that was made, a minute later, and applies its coupon', async () => {
    const { stack } = bed
    const { organizationId, couponId } = await leftPending('drop_after')
    await stack.emulator.advance(MINUTE)
    await stack.until(async () => (await stateOf(organizationId)) === 'active')
    expect(await billingState(stack, organizationId)).toEqual(bought)
    expect(await stack.redemptions(couponId)).toMatchObject([{ state: 'APPLIED', n: 1 }])
    expect(await stack.entitlements(organizationId)).toContainEqual(
      expect.objectContaining({ product: 'ota', active: true }),
    )
  })

  it('sends no purchase that never arrived, and frees its slot and coupon a quarter of an hour later', async () => {
    const { stack } = bed
    const { organizationId, couponId } = await leftPending('drop_before')
    await stack.emulator.clearRequests()
    await stack.emulator.advance(14 * MINUTE)
    await stack.until(async () => ((await stack.slot(organizationId))?.rev ?? 0) >= 4)
    expect(await stateOf(organizationId)).toBe('pending')
    await stack.emulator.advance(2 * MINUTE)
    await stack.until(async () => (await stateOf(organizationId)) === 'none')
    expect(await billingState(stack, organizationId)).toEqual({ slot: 'none', subscriptions: [], charges: 0 })
    expect(await stack.redemptions(couponId)).toEqual([])
    const writes = (await stack.emulator.requests()).filter(
      ({ path, method }) => method !== 'GET' && path.startsWith('/v1/'),
    )
    expect(writes).toEqual([])
  })

  it('keeps a declined purchase and its coupon for the next card', async () => {
    const { stack } = bed
    const { organizationId, couponId } = await leftPending('drop_after', 'pm_card_chargeCustomerFail')
    await stack.emulator.advance(MINUTE)
    await stack.until(async () => (await stateOf(organizationId)) === 'incomplete')
    expect(await billingState(stack, organizationId)).toMatchObject({ slot: 'incomplete', charges: 0 })
    expect(await stack.redemptions(couponId)).toMatchObject([{ state: 'APPLIED', n: 1 }])
  })

  it('releases the slot of a purchase that crashed before its organization had a customer, and creates none', async () => {
    const { stack } = bed
    const organizationId = organizationIdSchema.parse(await stack.client.newOrganization())
    const { records } = await stack.billing()
    const now = (await stack.emulator.now()) * 1000
    const userId = userIdSchema.parse(stack.client.info.demo.owner.id)
    const claim = claimAt(now, { userId })
    expect(await records.commit({ next: claimed(emptySlot(organizationId, 'ota'), claim) })).toBeNull()
    const customers = (await stack.stripe.customers.list({ limit: 100 })).data.length
    await stack.emulator.advance(MINUTE)
    await stack.until(async () => (await stateOf(organizationId)) === 'none')
    expect((await stack.stripe.customers.list({ limit: 100 })).data).toHaveLength(customers)
  })
})

describe('The sweep', () => {
  it('asks nothing for a purchase that is younger than a minute', async () => {
    const { stack } = bed
    const { organizationId } = await leftPending('drop_after')
    await stack.emulator.clearRequests()
    await stack.emulator.advance(MINUTE - 10)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(await stateOf(organizationId)).toBe('pending')
    expect((await stack.emulator.requests()).filter(({ path }) => path.startsWith('/v1/'))).toEqual([])
    await stack.emulator.advance(10)
    await stack.until(async () => (await stateOf(organizationId)) === 'active')
  })

  it('tries again later where the gateway was unavailable at first', async () => {
    const { stack } = bed
    const { organizationId } = await leftPending('drop_after')
    await stack.emulator.fault({ method: 'GET', path: '/v1/subscriptions', kind: 'drop_before', times: 2 })
    await stack.emulator.advance(MINUTE)
    await stack.until(async () => ((await stack.slot(organizationId))?.rev ?? 0) >= 4)
    expect(await stateOf(organizationId)).toBe('pending')
    await stack.emulator.advance(5 * MINUTE)
    await stack.until(async () => (await stateOf(organizationId)) === 'active')
    expect(await stack.charges(organizationId)).toBe(1)
  })

  it('adopts a subscription that was made 25 hours ago', async () => {
    const { stack } = bed
    const { organizationId, couponId } = await leftPending('drop_after')
    await stack.emulator.advance(25 * HOUR)
    await stack.until(async () => (await stateOf(organizationId)) === 'active')
    expect(await billingState(stack, organizationId)).toEqual(bought)
    expect(await stack.redemptions(couponId)).toMatchObject([{ state: 'APPLIED', n: 1 }])
  })
})
