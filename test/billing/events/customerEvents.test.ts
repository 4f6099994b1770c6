import { describe, expect, it } from '@jest/globals'
import { customerOf, organizationWithUnheardCard, subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { deliver, latestEvent } from './webhookRequests.ts'

const bed = useCleanStack()

const SETUP = '/api/billing/card-gateway/setup-intent'

describe('POST to the webhook', () => {
  describe('Given setup_intent.succeeded', () => {
    async function defaultCard(organizationId: string): Promise<unknown> {
      const { stack } = bed
      const customer = await stack.stripe.customers.retrieve(await customerOf(stack, organizationId))
      return customer.deleted ? undefined : customer.invoice_settings.default_payment_method
    }

    it('makes the first card the default one, and does not change that when a second one is set up', async () => {
      const { stack } = bed
      const { organizationId, card: first } = await organizationWithUnheardCard(stack)
      expect(await defaultCard(organizationId)).toBeNull()
      await stack.emulator.flush('fifo', 2)
      expect(await defaultCard(organizationId)).toBe(first)
      const second = await stack.addCard(organizationId, 'pm_card_mastercard')
      expect(second).not.toBe(first)
      expect(await defaultCard(organizationId)).toBe(first)
      expect((await stack.checkout(organizationId, ['base_ota'])).outcomes).toEqual(['bought active'])
    })

    it('does not change a customer that is not the organization’s', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const other = await stack.stripe.customers.create({})
      const metadata = { organization_id: organizationId }
      const setup = await stack.stripe.setupIntents.create({
        customer: other.id,
        allowed_payment_method_types: ['card'],
        metadata,
        payment_method: 'pm_card_visa',
        confirm: true,
      })
      expect(await deliver(stack, await latestEvent(stack, 'setup_intent.succeeded', setup.id))).toBe(200)
      expect(await stack.stripe.customers.retrieve(other.id)).toMatchObject({
        invoice_settings: { default_payment_method: null },
      })
    })

    it('answers 500 while the gateway is unavailable, and sets the default card when it is delivered again', async () => {
      const { stack } = bed
      const { organizationId, card } = await organizationWithUnheardCard(stack)
      await stack.emulator.fault({ method: 'POST', path: '/v1/customers/*', kind: 'status', status: 503, times: 2 })
      const first = await stack.emulator.flush()
      expect(first.filter(({ status }) => status !== 200)).toMatchObject([
        { type: 'setup_intent.succeeded', status: 500 },
      ])
      expect(await defaultCard(organizationId)).toBeNull()
      await stack.emulator.flush()
      expect(await defaultCard(organizationId)).toBe(card)
    })
  })

  describe('Given payment_method.detached', () => {
    it('answers 200 and changes nothing', async () => {
      const { stack } = bed
      const { organizationId, card } = await subscribedOrganization(stack)
      await stack.emulator.webhooks('hold')
      await stack.stripe.paymentMethods.detach(card)
      const before = await stack.slot(organizationId)
      stack.dynamoDb.reset()
      expect(await deliver(stack, await latestEvent(stack, 'payment_method.detached', card))).toBe(200)
      expect(stack.dynamoDb.calls()).toEqual([])
      expect(await stack.slot(organizationId)).toEqual(before)
      expect((await stack.post(SETUP, organizationId)).status).toBe(200)
    })
  })
})
