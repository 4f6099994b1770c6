import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../../support/billingStack.ts'
import { race } from '../../../support/race.ts'
import { subscribedOrganization } from '../../gatewayView.ts'
import { resumeAndPayOn } from './resumeAndPayCalls.ts'

const bed = useBillingStack()

const { resume, pay, incomplete } = resumeAndPayOn(bed)

const payments = async () => (await bed.stack.emulator.requests()).filter(({ path }) => path.endsWith('/pay')).length

describe('POST /api/billing/subscriptions/{product}/resume', () => {
  describe('Given a cancellation that is scheduled', () => {
    it('takes it back at the gateway and in the record, sent again or by many requests at once', async () => {
      const { stack } = bed
      const { organizationId, subscriptionId } = await subscribedOrganization(stack)
      await stack.cancel(organizationId, { product: 'ota' })
      expect((await stack.entitlements(organizationId)).find(({ product }) => product === 'ota')).toMatchObject({
        active: true,
      })
      const answers = await race(() => resume(organizationId))
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

describe('POST /api/billing/subscriptions/{product}/pay', () => {
  it('returns the secret of a payment that waits for 3-D Secure and begins no other one, and the event grants', async () => {
    const { stack } = bed
    const { organizationId, card, secret, paymentId } = await incomplete()
    await stack.emulator.clearRequests()
    for (const body of [{}, { payment_method_id: card }, { payment_method_id: null }]) {
      expect(await pay(organizationId, body)).toMatchObject({
        status: 200,
        body: {
          subscription: { status: 'incomplete', action: 'confirm_payment' },
          client: { action: 'confirm_payment', client_secret: secret },
        },
      })
    }
    expect(await payments()).toBe(0)
    await stack.emulator.authenticate(paymentId, 'succeed')
    await stack.emulator.flush()
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    expect(await pay(organizationId)).toMatchObject({ status: 409, body: { code: 'nothing_to_pay' } })
  })

  it('answers 402 for a card that is declined or not the organization’s, and the purchase can still be paid', async () => {
    const { stack } = bed
    const { organizationId } = await incomplete()
    const stranger = (await stack.organizationWithCard()).card
    expect(await pay(organizationId, { payment_method_id: stranger })).toMatchObject({
      status: 402,
      body: { code: 'payment_method_invalid' },
    })
    const dead = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
    expect(await pay(organizationId, { payment_method_id: dead })).toMatchObject({
      status: 402,
      body: { code: 'card_declined' },
    })
    const payment_method_id = await stack.addCard(organizationId, 'pm_card_visa')
    expect(await pay(organizationId, { payment_method_id })).toMatchObject({
      status: 200,
      body: { subscription: { status: 'active' }, client: { action: 'none', client_secret: null } },
    })
  })

  it('answers 404 for a product that was never bought, and 422 for a member that it does not know', async () => {
    const organizationId = await bed.stack.client.newOrganization()
    expect(await pay(organizationId)).toMatchObject({ status: 404, body: { code: 'not_subscribed' } })
    expect(await pay(organizationId, { payment_method: 'pm_1' })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'payment_method'], type: 'extra_forbidden' }] },
    })
  })
})
