import { describe, expect, it } from '@jest/globals'
import { products } from '../../../../lib/billing/catalog.ts'
import { toRfc3339 } from '../../../../lib/core/clock.ts'
import { expectProjected, subscribedOrganization, subscriptionOf } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { buyEveryPlan, everyPlan } from '../everyPlan.ts'

const bed = useCleanStack()

function time(seconds: number | null | undefined): string {
  return toRfc3339((seconds ?? 0) * 1000)
}

describe('POST /api/billing/cancel', () => {
  describe('Given an active subscription', () => {
    it('schedules the cancellation for the end of the paid period by default, and keeps the product until then', async () => {
      const { stack } = bed
      const { organizationId, card, subscriptionId } = await subscribedOrganization(stack)
      const end = (await subscriptionOf(stack, organizationId)).items.data[0]?.current_period_end
      const answer = await stack.cancel(organizationId, { product: 'ota' })
      expect(answer).toEqual({ status: 200, body: { status: 'cancellation_scheduled', effective_at: time(end) } })

      const atGateway = await stack.stripe.subscriptions.retrieve(subscriptionId)
      expect(atGateway).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: end })
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', subscription: { cancelAt: end } })
      expect((await stack.entitlements(organizationId))[0]).toMatchObject({ active: true, valid_until: time(end) })
      const again = await stack.checkout(organizationId, ['base_ota'], { card })
      expect([again.status, again.outcomes]).toEqual([409, ['already_subscribed']])

      expect(await stack.cancel(organizationId, { product: 'ota' })).toEqual(answer)
      expect(await stack.cancel(organizationId, { product: 'ota', at_period_end: true })).toEqual(answer)
      expect(await stack.charges(organizationId)).toBe(1)
    })

    it('ends it at once with at_period_end false, and answers the same when sent again', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      const answer = await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
      const { status, ended_at } = await subscriptionOf(stack, organizationId)
      expect(status).toBe('canceled')
      expect(answer).toEqual({ status: 200, body: { status: 'canceled', effective_at: time(ended_at) } })
      expect((await stack.entitlements(organizationId))[0]).toMatchObject({ active: false, valid_until: null })
      await expectProjected(stack, organizationId)

      await stack.emulator.advance(3600)
      await stack.emulator.clearRequests()
      expect(await stack.cancel(organizationId, { product: 'ota', at_period_end: false })).toEqual(answer)
      expect(await stack.cancel(organizationId, { product: 'ota' })).toEqual(answer)
      expect(await stack.emulator.requests()).toEqual([])
    })

    it.each([true, false])(
      'keeps the reason in the audit log (at the end of the period: %s)',
      async (at_period_end) => {
        const { stack } = bed
        const { organizationId } = await subscribedOrganization(stack)
        const asked = { product: 'ota', at_period_end, reason: 'switched_service' }
        expect(await stack.cancel(organizationId, { ...asked, reason: 'bored' })).toMatchObject({ status: 422 })
        expect((await stack.cancel(organizationId, asked)).status).toBe(200)
        await expectProjected(stack, organizationId)
        const reasons = (await stack.auditEntries(organizationId)).map(({ detail }) => detail.reason)
        expect(reasons.filter((reason) => reason !== undefined)).toEqual(['switched_service'])
      },
    )

    it('ends it at once where its end is already scheduled', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      expect((await stack.cancel(organizationId, { product: 'ota' })).status).toBe(200)
      const answer = await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
      const { status, ended_at } = await subscriptionOf(stack, organizationId)
      expect(status).toBe('canceled')
      expect(answer.body).toEqual({ status: 'canceled', effective_at: time(ended_at) })
      await expectProjected(stack, organizationId)
    })

    it('frees the product through the gateway’s event when the scheduled end is reached', async () => {
      const { stack } = bed
      const { organizationId } = await subscribedOrganization(stack)
      await stack.cancel(organizationId, { product: 'ota' })
      const { cancel_at } = await subscriptionOf(stack, organizationId)
      await stack.emulator.advance((cancel_at ?? 0) - (await stack.emulator.now()) + 1)
      await stack.emulator.flush()
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled' })
      await expectProjected(stack, organizationId)
      const { ended_at } = await subscriptionOf(stack, organizationId)
      const ended = { status: 200, body: { status: 'canceled', effective_at: time(ended_at) } }
      expect(await stack.cancel(organizationId, { product: 'ota' })).toEqual(ended)
      expect(await stack.charges(organizationId)).toBe(1)
    })

    it('frees the product, which is then bought again as purchase 2', async () => {
      const { stack } = bed
      const { organizationId, card, subscriptionId } = await subscribedOrganization(stack)
      await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
      expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 2 })
      const [second, first] = await stack.subscriptions(organizationId)
      expect(first).toMatchObject({ id: subscriptionId, status: 'canceled', metadata: { n: '1' } })
      expect(second).toMatchObject({ status: 'active', metadata: { n: '2' } })
      expect(await stack.charges(organizationId)).toBe(2)
    })
  })

  describe('Given all products', () => {
    it('cancels the named one only', async () => {
      const { stack } = bed
      const organizationId = await buyEveryPlan(bed.stack)
      const before = await Promise.all(everyPlan.map((plan) => stack.slot(organizationId, plan)))
      await stack.cancel(organizationId, { product: 'monitoring', at_period_end: false })
      await stack.emulator.flush()
      const after = await Promise.all(everyPlan.map((plan) => stack.slot(organizationId, plan)))
      const others = products.filter((product) => product !== 'monitoring')
      const named = products.indexOf('monitoring')
      expect(after[named]).toMatchObject({ state: 'canceled' })
      expect(after.toSpliced(named, 1)).toEqual(before.toSpliced(named, 1))
      const live = (await stack.subscriptions(organizationId)).filter(({ status }) => status === 'active')
      expect(live.map(({ metadata }) => metadata.product).toSorted()).toEqual(others.toSorted())
      const active = (await stack.entitlements(organizationId)).map((entitlement) => entitlement.active)
      expect(active).toEqual(products.map((product) => product !== 'monitoring'))
    })
  })

  describe('Given an incomplete purchase', () => {
    it('ends it at once also with at_period_end true, and frees the product', async () => {
      const { stack } = bed
      const { organizationId, card } = await stack.organizationWithCard('pm_card_authenticationRequired')
      expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought incomplete'])
      const answer = await stack.cancel(organizationId, { product: 'ota', at_period_end: true })
      const { status, ended_at } = await subscriptionOf(stack, organizationId)
      expect(status).toBe('incomplete_expired')
      expect(answer).toEqual({ status: 200, body: { status: 'canceled', effective_at: time(ended_at) } })
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled' })
      expect(await stack.charges(organizationId)).toBe(0)
      const visa = await stack.addCard(organizationId, 'pm_card_visa')
      expect((await stack.checkout(organizationId, ['base_ota'], { card: visa })).outcomes).toEqual(['bought active'])
    })
  })
})
