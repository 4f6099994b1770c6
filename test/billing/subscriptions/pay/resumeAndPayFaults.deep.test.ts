import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../../support/billingStack.ts'
import { race } from '../../../support/race.ts'
import { subscribedOrganization } from '../../gatewayView.ts'
import { resumeAndPayOn } from './resumeAndPayCalls.ts'

const bed = useBillingStack()

const { resume, pay, incomplete } = resumeAndPayOn(bed)

describe('POST /api/billing/subscriptions/{product}/resume', () => {
  describe('Given a cancellation that is scheduled', () => {
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
})

describe('POST /api/billing/subscriptions/{product}/pay', () => {
  it('pays the open invoice with another card once, however many requests do so at once', async () => {
    const { stack } = bed
    const { organizationId } = await incomplete()
    const payment_method_id = await stack.addCard(organizationId, 'pm_card_visa')
    const answers = await race(() => pay(organizationId, { payment_method_id }))
    const outcomes = new Set(answers.map(({ status, body }) => (status === 200 ? 'paid' : JSON.stringify(body))))
    outcomes.delete('paid')
    for (const outcome of outcomes)
      expect(outcome).toMatch(/"checkout_in_progress"|"nothing_to_pay"|"gateway_unavailable"/)
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    expect(await stack.charges(organizationId)).toBe(1)
    const [subscription] = await stack.subscriptions(organizationId)
    expect(subscription).toMatchObject({ status: 'active', default_payment_method: payment_method_id })
  })

  it.each(['drop_before', 'drop_after'] as const)(
    'charges once where its answers are lost (%s) and it is sent again',
    async (kind) => {
      const { stack } = bed
      const { organizationId } = await incomplete()
      const payment_method_id = await stack.addCard(organizationId, 'pm_card_visa')
      await stack.emulator.fault({ method: 'POST', path: '/v1/invoices/*', times: 2, kind })
      const first = await pay(organizationId, { payment_method_id })
      expect(first.status).toBe(kind === 'drop_before' ? 503 : 200)
      expect((await pay(organizationId, { payment_method_id })).status).toBe(kind === 'drop_before' ? 200 : 409)
      expect(await stack.charges(organizationId)).toBe(1)
    },
  )
})
