import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../support/billingStack.ts'
import { subscribedOrganization } from './gatewayView.ts'

const bed = useBillingStack()

const resume = (organizationId: string, product = 'ota') =>
  bed.stack.post(`/api/billing/subscriptions/${product}/resume`, organizationId)

describe('POST /api/billing/subscriptions/{product}/resume', () => {
  describe('Given a cancellation that is scheduled', () => {
    it('takes it back at the gateway and in the record, sent again or by twenty requests at once', async () => {
      const { stack } = bed
      const { organizationId, subscriptionId } = await subscribedOrganization(stack)
      await stack.cancel(organizationId, { product: 'ota' })
      expect((await stack.entitlements(organizationId)).find(({ product }) => product === 'ota')).toMatchObject({
        active: true,
      })
      const answers = await Promise.all(Array.from({ length: 20 }, () => resume(organizationId)))
      answers.push(await resume(organizationId))
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 200,
          body: {
            product: 'ota',
            plan_code: 'base_ota',
            status: 'active',
            cancel_at: null,
            ended_at: null,
            action: 'none',
          },
        })
      }
      const [subscription] = await stack.subscriptions(organizationId)
      expect(subscription).toMatchObject({
        id: subscriptionId,
        status: 'active',
        cancel_at: null,
        cancel_at_period_end: false,
      })
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', subscription: { cancelAt: null } })
      expect(await stack.charges(organizationId)).toBe(1)
    })

    it.each(['drop_before', 'drop_after'] as const)(
      'answers 503 where every answer of the gateway is lost (%s), and 200 when it is sent again',
      async (kind) => {
        const { stack } = bed
        const { organizationId } = await subscribedOrganization(stack)
        await stack.cancel(organizationId, { product: 'ota' })
        await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions/*', times: 2, kind })
        expect((await resume(organizationId)).status).toBe(503)
        expect(await resume(organizationId)).toMatchObject({ status: 200, body: { cancel_at: null } })
      },
    )
  })

  it('answers 409 subscription_ended where the gateway ended it unheard, and the record follows; a purchase after it is a new one', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    await stack.cancel(organizationId, { product: 'ota' })
    await stack.emulator.webhooks('hold')
    await stack.stripe.subscriptions.cancel(subscriptionId)
    expect(await resume(organizationId)).toMatchObject({ status: 409, body: { code: 'subscription_ended' } })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled' })
    expect(await resume(organizationId)).toMatchObject({ status: 409, body: { code: 'subscription_ended' } })
    await stack.emulator.webhooks('deliver')
    expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
  })

  it('answers 404 for a product that was never bought, and 422 for one that is not sold', async () => {
    const { stack } = bed
    const organizationId = await stack.client.newOrganization()
    expect(await resume(organizationId)).toMatchObject({ status: 404, body: { code: 'not_subscribed' } })
    expect(await resume(organizationId, 'everything')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['path', 'product'], type: 'enum' }] },
    })
  })
})
