import { describe, expect, it } from '@jest/globals'
import { BOTH_ATTEMPTS } from '../../../support/emulator.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

describe('POST /api/billing/checkout', () => {
  describe('Given a subscription call that gets no answer', () => {
    describe.each([
      ['no subscription was made', 'drop_before'],
      ['the subscription was made', 'drop_after'],
    ] as const)('and that %s', (_, kind) => {
      it('answers gateway_unavailable, keeps the slot pending, and buys once when the cart is sent again', async () => {
        const { stack } = bed
        const { organizationId, card } = await stack.organizationWithCard()
        await stack.emulator.webhooks('hold')
        await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind, times: BOTH_ATTEMPTS })
        const lost = await stack.checkout(organizationId, ['base_ota'], { card })
        expect(lost).toMatchObject({ status: 503, outcomes: ['gateway_unavailable'], retryAfter: '5' })
        expect(await stack.slot(organizationId)).toMatchObject({ state: 'pending', n: 1, pendingKey: 'PENDING' })

        const repeated = await stack.checkout(organizationId, ['base_ota'], { card })
        expect(repeated).toMatchObject({ status: 201, outcomes: ['bought active'] })
        expect(await stack.subscriptions(organizationId)).toHaveLength(1)
        expect(await stack.charges(organizationId)).toBe(1)
        expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 1 })
        expect(await stack.slot(organizationId)).not.toHaveProperty('pendingKey')
      })
    })

    it('answers 201 where one attempt’s answer is lost, and retries with the same key', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard()
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_after' })
      await stack.emulator.clearRequests()
      expect(await stack.checkout(organizationId, ['base_ota'], { card })).toMatchObject({ status: 201 })
      const sent = (await stack.emulator.requests()).filter(
        ({ method, path }) => method === 'POST' && path === '/v1/subscriptions',
      )
      expect(new Set(sent.map(({ idempotency_key }) => idempotency_key))).toEqual(
        new Set([`sub:${organizationId}:ota:1`]),
      )
      expect(await stack.charges(organizationId)).toBe(1)
    })
  })
})
