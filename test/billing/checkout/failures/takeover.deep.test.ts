import { afterEach, describe, expect, it } from '@jest/globals'
import { demoUsers } from '../../../../infra/data/demo.ts'
import { requestHash } from '../../../../lib/billing/checkout/holdSlot.ts'
import { claimed } from '../../../../lib/billing/slot/slot.ts'
import { organizationIdSchema, userIdSchema } from '../../../../lib/core/ids.ts'
import { useBillingStack } from '../../../support/billingStack.ts'
import { claimAt } from '../../fixtures.ts'
import { callsOf } from '../../gatewayCalls.ts'
import { buyAfterLease } from '../buyOta.ts'

const bed = useBillingStack()

const HOUR = 3600

afterEach(async () => {
  const { stack } = bed
  await stack.emulator.clearFaults()
  await stack.emulator.webhooks('deliver')
  await stack.emulator.flush()
  expect(await stack.emulator.violations()).toEqual([])
})

/** Claims `base_ota` as a request does, and sends nothing, as if it had crashed. */
async function crashAfterClaim(organizationId: string, card: string | undefined): Promise<void> {
  const deps = await bed.stack.billing()
  const { records, clock } = deps
  const gateway = callsOf(deps)
  const organization = organizationIdSchema.parse(organizationId)
  const userId = userIdSchema.parse(demoUsers.owner.id)
  await clock.sync()
  const prices = await gateway.prices()
  const price = prices.kind === 'ok' ? prices.value.get('base_ota') : undefined
  if (!price) throw new Error('The price list has no base_ota')
  const { slots } = await records.read(organization, { userId, securityRev: 0 })
  const free = slots.find(({ product }) => product === 'ota')
  if (!free) throw new Error('Every organization has a slot for ota')
  const frozenRequest = gateway.freezeSubscription({
    price,
    paymentMethodId: card,
    coupon: undefined,
    purchase: { organization_id: organization, product: 'ota', plan_code: 'base_ota', n: 1, user_id: userId },
  })
  const now = clock.now()
  const named = { paymentMethodId: card, couponCode: undefined }
  const claim = claimAt(now, { frozenRequest, userId, requestHash: requestHash(named) })
  expect(await records.commit({ next: claimed(free, claim) })).toBeNull()
}

describe('POST /api/billing/checkout', () => {
  describe('Given a request that crashed after its claim', () => {
    it('answers checkout_in_progress for 45 s, and buys after them', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      await crashAfterClaim(organizationId, card)
      await buyAfterLease(stack, organizationId, card)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 1 })
    })

    it.each([
      ['+1 min', 60, 1],
      ['+19 h 59', 20 * HOUR - 60, 1],
      ['a little past +20 h', 20 * HOUR + 2, 2],
      ['+30 d', 720 * HOUR, 2],
    ])('completes the purchase at %s, with one subscription and one charge', async (_, later, n) => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      await crashAfterClaim(organizationId, card)
      await stack.emulator.advance(later)
      expect(await stack.checkout(organizationId, ['base_ota'], { card })).toMatchObject({
        outcomes: ['bought active'],
      })
      expect(await stack.subscriptions(organizationId)).toHaveLength(1)
      expect(await stack.charges(organizationId)).toBe(1)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n })
    })

    // [bug 3]
    it('neither replays it for another card nor answers with it, and buys with that card 15 min later', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      const other = await stack.addCard(organizationId, 'pm_card_mastercard')
      await crashAfterClaim(organizationId, card)
      await stack.emulator.advance(46)
      const early = await stack.checkout(organizationId, ['base_ota'], { card: other })
      expect(early).toMatchObject({ status: 409, outcomes: ['checkout_in_progress'] })
      expect(await stack.subscriptions(organizationId)).toEqual([])
      await stack.emulator.advance(15 * 60)
      expect(await stack.checkout(organizationId, ['base_ota'], { card: other })).toMatchObject({
        outcomes: ['bought active'],
      })
      const [subscription] = await stack.subscriptions(organizationId)
      expect(subscription?.default_payment_method).toBe(other)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 2 })
    })

    it('answers gateway_unavailable for 15 min after the last sending of a key that is too old to replay', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      await crashAfterClaim(organizationId, card)
      await stack.emulator.advance(20 * HOUR - 60)
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_before', times: 2 })
      expect(await stack.checkout(organizationId, ['base_ota'], { card })).toMatchObject({
        outcomes: ['gateway_unavailable'],
      })
      await stack.emulator.advance(5 * 60)
      // Too old to replay, and sent too recently to be proven absent.
      expect(await stack.checkout(organizationId, ['base_ota'], { card })).toMatchObject({
        outcomes: ['gateway_unavailable'],
      })
      expect(await stack.subscriptions(organizationId)).toEqual([])
      await stack.emulator.advance(15 * 60)
      expect(await stack.checkout(organizationId, ['base_ota'], { card })).toMatchObject({
        outcomes: ['bought active'],
      })
      expect(await stack.slot(organizationId)).toMatchObject({ n: 2 })
    })
  })

  describe('Given a Stripe that answers late', () => {
    it('answers 201 where the webhook has settled its purchase first', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'delay', delay_ms: 1500 })
      const buying = stack.checkout(organizationId, ['base_ota'], { card })
      await stack.until(async () => (await stack.slot(organizationId))?.state === 'active')
      expect(await buying).toMatchObject({ status: 201, outcomes: ['bought active'] })
      expect(await stack.charges(organizationId)).toBe(1)
    })

    it('makes one subscription where another request takes the purchase over after the lease', async () => {
      const { stack } = bed
      const { organizationId, card, answer: late } = await stack.organizationWithPendingPurchase(2500)
      await stack.emulator.advance(46)
      const second = await stack.checkout(organizationId, ['base_ota'], { card })
      const first = await late
      // The second sends the same key while the first answer is still under way.
      expect([...first.outcomes, ...second.outcomes].filter((outcome) => outcome !== 'bought active')).toEqual(
        expect.arrayContaining(['gateway_unavailable']),
      )
      const third = await stack.checkout(organizationId, ['base_ota'], { card })
      expect(['bought active', 'already_subscribed']).toContain(third.outcomes[0])
      expect(await stack.subscriptions(organizationId)).toHaveLength(1)
      expect(await stack.charges(organizationId)).toBe(1)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 1 })
    })

    it('answers 503 within its time budget where Stripe does not answer at all', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      const token = await stack.token()
      await stack.emulator.webhooks('hold')
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'delay', delay_ms: 10_000 })
      const started = Date.now()
      const answer = await stack.checkoutWith(token, organizationId, ['base_ota'], { card })
      // 8 s for the first attempt; the second finds the key in use.
      expect(Date.now() - started).toBeLessThan(12_000)
      expect(answer).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'] })
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'pending', n: 1 })
    })
  })
})
