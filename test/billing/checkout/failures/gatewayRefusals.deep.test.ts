import { describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { billingState, nothingBought } from '../../billingState.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

const create = { method: 'POST', path: '/v1/subscriptions', kind: 'status' } as const

describe('POST /api/billing/checkout', () => {
  describe('Given a gateway that refuses for a reason of its own', () => {
    it.each([400, 401, 403, 404])(
      'answers gateway_refused to its %d, and sells when the cart is sent again',
      async (status) => {
        const { stack } = bed
        const { organizationId } = await stack.organizationWithCard()
        await stack.emulator.fault({ ...create, status })
        const answer = await stack.checkout(organizationId, ['base_ota'])
        expect([answer.status, answer.outcomes, answer.retryAfter]).toEqual([502, ['gateway_refused'], null])
        expect(await billingState(stack, organizationId)).toEqual(nothingBought)
        expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
      },
    )
  })

  describe('Given a gateway that is unavailable', () => {
    it.each([
      [429, 'none', '2'],
      [500, 'pending', '1'],
      [502, 'pending', '1'],
      [503, 'pending', '1'],
    ])('answers gateway_unavailable to its %d, never a refusal', async (status, slot, n) => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      await stack.emulator.fault({ ...create, status, times: 2 })
      const answer = await stack.checkout(organizationId, ['base_ota'])
      expect([answer.status, answer.outcomes, answer.retryAfter]).toEqual([503, ['gateway_unavailable'], '5'])
      // After a 429 it is certain that nothing was executed.
      expect(await billingState(stack, organizationId)).toEqual({ slot, subscriptions: [], charges: 0 })

      await stack.emulator.clearFaults()
      expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
      const subscriptions: Stripe.Subscription[] = await stack.subscriptions(organizationId)
      expect(subscriptions.map(({ metadata }) => metadata.n)).toEqual([n])
    })

    it('sends a purchase again while another request holds the customer locked', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const body = { error: { type: 'invalid_request_error', code: 'lock_timeout', message: 'Locked' } }
      await stack.emulator.fault({ ...create, status: 429, body, times: 2 })
      expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
      expect(await stack.slot(organizationId)).toMatchObject({ n: 1 })
    })
  })

  describe('Given a price that was replaced under its lookup key', () => {
    // [bug 13]
    it('asks for the prices anew and buys', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      // The list of prices is known to the function from now on.
      expect((await stack.checkout(organizationId, ['addon_monitoring'])).outcomes).toEqual(['bought active'])
      const [old] = (await stack.stripe.prices.list({ lookup_keys: ['base_ota'] })).data
      if (!old?.unit_amount) throw new Error('base_ota has a price')
      const replacement = await stack.stripe.prices.create({
        product: String(old.product),
        currency: old.currency,
        unit_amount: old.unit_amount,
        recurring: { interval: 'month' },
        lookup_key: 'base_ota',
        transfer_lookup_key: true,
      })
      await stack.stripe.prices.update(old.id, { active: false })
      expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
      const prices = (await stack.subscriptions(organizationId)).flatMap(({ items }) =>
        items.data.map(({ price }) => price.id),
      )
      expect(prices).toContain(replacement.id)
    })
  })
})
