import { afterEach, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../../support/billingStack.ts'
import { race, racers } from '../../../support/race.ts'

const bed = useBillingStack()

afterEach(async () => {
  expect(await bed.stack.emulator.violations()).toEqual([])
})

function count(outcomes: readonly string[]): Record<string, number> {
  const counted: Record<string, number> = {}
  for (const outcome of outcomes) counted[outcome] = (counted[outcome] ?? 0) + 1
  return counted
}

describe('POST /api/billing/checkout', () => {
  describe('Given parallel first checkouts of one product', () => {
    // [threat 71]
    it('makes one subscription and one charge, and answers the others checkout_in_progress or already_subscribed', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      const token = await stack.token()
      const answers = await race(() => stack.checkoutWith(token, organizationId, ['base_ota'], { card }))
      const outcomes = count(answers.flatMap((answer) => answer.outcomes))
      expect(outcomes['bought active']).toBe(1)
      expect((outcomes.checkout_in_progress ?? 0) + (outcomes.already_subscribed ?? 0)).toBe(racers - 1)
      expect(await stack.subscriptions(organizationId)).toHaveLength(1)
      expect(await stack.charges(organizationId)).toBe(1)
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 1 })
    })
  })

  describe('Given parallel first checkouts by an organization that has no customer yet', () => {
    it('creates one customer, with one idempotency key', async () => {
      const { stack } = bed
      const organizationId = await stack.client.newOrganization()
      const { code } = await stack.newCoupon({ percent_off: 100 })
      const token = await stack.token()
      await stack.emulator.clearRequests()
      const answers = await race(() => stack.checkoutWith(token, organizationId, ['base_ota'], { coupon: code }))
      expect(count(answers.flatMap((answer) => answer.outcomes))['bought active']).toBe(1)
      const [subscription, ...others] = await stack.subscriptions(organizationId)
      expect(others).toEqual([])
      const created = (await stack.emulator.requests()).filter(
        ({ method, path, replayed }) => method === 'POST' && path === '/v1/customers' && !replayed,
      )
      expect(created.map(({ idempotency_key }) => idempotency_key)).toEqual([`cus:${organizationId}:0`])
      expect(subscription?.status).toBe('active')
    })
  })

  describe('Given two administrators who buy the same product at the same moment', () => {
    it('answers the first 201 and the second 409 with Retry-After', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      const [owner, billingAdmin] = await Promise.all([stack.token('owner'), stack.token('billing_admin')])
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'delay', delay_ms: 1500 })
      const slow = stack.checkoutWith(owner, organizationId, ['base_ota'], { card })
      await stack.until(async () => (await stack.slot(organizationId))?.state === 'pending')
      const second = await stack.checkoutWith(billingAdmin, organizationId, ['base_ota'], { card })
      expect(second).toMatchObject({ status: 409, outcomes: ['checkout_in_progress'], retryAfter: '5' })
      expect(await slow).toMatchObject({ status: 201, outcomes: ['bought active'] })
      expect(await stack.charges(organizationId)).toBe(1)
    })
  })

  describe('Given carts that overlap in one product', () => {
    it('sells each product once, and answers every line of each cart', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      const token = await stack.token()
      const carts = [
        ['base_ota', 'addon_monitoring'],
        ['addon_monitoring', 'addon_remote_ssh'],
        ['addon_remote_ssh', 'base_ota', 'addon_crash_reporting'],
      ]
      const answers = await Promise.all(carts.map((cart) => stack.checkoutWith(token, organizationId, cart, { card })))
      expect(answers.map(({ lines }) => lines.length)).toEqual([2, 2, 3])
      const live = (await stack.subscriptions(organizationId)).map(({ metadata }) => metadata.product).sort()
      const bought = answers.flatMap(({ lines }) => lines.filter(({ ok }) => ok).map((line) => line.product_code))
      expect(live).toHaveLength(bought.length)
      expect(new Set(live).size).toBe(live.length)
      expect(live.length).toBeGreaterThanOrEqual(3)
    })
  })

  describe('Given one coupon raced by two organizations of one user', () => {
    // [threat 71]
    it('applies it once, and sends no subscription for the other', async () => {
      const { stack } = bed
      const { id, code } = await stack.newCoupon()
      const first = await stack.organizationWithCard()
      const second = await stack.organizationWithCard()
      const token = await stack.token()
      await stack.emulator.clearRequests()
      const answers = await Promise.all(
        [first, second].map(({ organizationId, card }) =>
          stack.checkoutWith(token, organizationId, ['base_ota'], { card, coupon: code }),
        ),
      )
      expect(answers.flatMap(({ outcomes }) => outcomes).sort()).toEqual(['bought active', 'coupon_already_redeemed'])
      const sent = (await stack.emulator.requests()).filter(
        ({ method, path }) => method === 'POST' && path === '/v1/subscriptions',
      )
      expect(sent).toHaveLength(1)
      expect(await stack.redemptions(id)).toMatchObject([{ state: 'APPLIED' }])
    })
  })
})
