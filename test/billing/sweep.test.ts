import { describe, expect, it } from '@jest/globals'
import { claimed, emptySlot } from '../../lib/billing/slot.ts'
import { organizationIdSchema, userIdSchema } from '../../lib/core/ids.ts'
import { useBillingStack } from '../support/billingStack.ts'
import { billingState, bought } from './billingState.ts'
import { cleanAfterEach } from './cleanAfterEach.ts'

const bed = useBillingStack({ schedules: true })
cleanAfterEach(bed)

const MINUTE = 60
const HOUR = 3600

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

describe('The sweep, five minutes after a purchase whose outcome is unknown', () => {
  it.each(['drop_before', 'drop_after'] as const)('buys it once after %s, and applies its coupon', async (kind) => {
    const { stack } = bed
    const { organizationId, couponId } = await leftPending(kind)
    await stack.emulator.advance(5 * MINUTE)
    await stack.until(async () => (await stateOf(organizationId)) === 'active')
    expect(await billingState(stack, organizationId)).toEqual(bought)
    expect(await stack.redemptions(couponId)).toMatchObject([{ state: 'APPLIED', n: 1 }])
    expect(await stack.entitlements(organizationId)).toContainEqual(
      expect.objectContaining({ product: 'ota', active: true }),
    )
    const sent = (await stack.emulator.requests()).filter(
      ({ path, method }) => method + path === 'POST/v1/subscriptions',
    )
    expect(new Set(sent.map(({ idempotency_key }) => idempotency_key))).toEqual(
      new Set([`sub:${organizationId}:ota:1`]),
    )
  })

  it('releases the slot and the coupon of a purchase whose card is declined', async () => {
    const { stack } = bed
    const { organizationId, couponId } = await leftPending('drop_before', 'pm_card_chargeCustomerFail')
    await stack.emulator.advance(5 * MINUTE)
    await stack.until(async () => (await stateOf(organizationId)) === 'none')
    expect(await billingState(stack, organizationId)).toMatchObject({ slot: 'none', charges: 0 })
    expect(await stack.redemptions(couponId)).toEqual([])
  })

  it('releases the slot of a purchase that crashed before its organization had a customer, and creates none', async () => {
    const { stack } = bed
    const organizationId = organizationIdSchema.parse(await stack.client.newOrganization())
    const { records } = await stack.billing()
    const now = (await stack.emulator.now()) * 1000
    const userId = userIdSchema.parse(stack.client.info.demo.owner.id)
    const claim = {
      owner: 'crashed',
      leaseUntil: now + 45_000,
      firstSent: now,
      lastSent: now,
      frozenRequest: '{}',
      userId,
    }
    expect(await records.commit([{ next: claimed(emptySlot(organizationId, 'ota'), claim) }])).toBeNull()
    const customers = (await stack.stripe.customers.list({ limit: 100 })).data.length
    await stack.emulator.advance(5 * MINUTE)
    await stack.until(async () => (await stateOf(organizationId)) === 'none')
    expect((await stack.stripe.customers.list({ limit: 100 })).data).toHaveLength(customers)
  })
})

describe('The sweep', () => {
  it('sends nothing for a purchase that is younger than five minutes', async () => {
    const { stack } = bed
    const { organizationId } = await leftPending('drop_after')
    await stack.emulator.clearRequests()
    await stack.emulator.advance(4 * MINUTE)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(await stateOf(organizationId)).toBe('pending')
    expect((await stack.emulator.requests()).filter(({ path }) => path.startsWith('/v1/'))).toEqual([])
    await stack.emulator.advance(MINUTE)
    await stack.until(async () => (await stateOf(organizationId)) === 'active')
  })

  it('tries again after an hour where the gateway was unavailable at first', async () => {
    const { stack } = bed
    const { organizationId } = await leftPending('drop_before')
    await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_before', times: 2 })
    await stack.emulator.advance(5 * MINUTE)
    await stack.until(async () => ((await stack.slot(organizationId))?.rev ?? 0) >= 4)
    expect(await stateOf(organizationId)).toBe('pending')
    await stack.emulator.advance(HOUR)
    await stack.until(async () => (await stateOf(organizationId)) === 'active')
    expect(await stack.charges(organizationId)).toBe(1)
  })

  it('starts no purchase: releases the slot and the coupon of one that can no longer arrive', async () => {
    const { stack } = bed
    const { organizationId, couponId } = await leftPending('drop_before')
    await stack.emulator.advance(25 * HOUR)
    await stack.until(async () => (await stateOf(organizationId)) === 'none')
    expect(await billingState(stack, organizationId)).toEqual({ slot: 'none', subscriptions: [], charges: 0 })
    expect(await stack.redemptions(couponId)).toEqual([])
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
