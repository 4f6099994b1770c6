import { describe, expect, it } from '@jest/globals'
import type { CheckoutOptions } from '../../support/billingStack.ts'
import { billingState, bought, waiting } from '../billingState.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { buyUnauthenticated, ota } from './buyUnauthenticated.ts'

const bed = useCleanStack()

describe('POST /api/billing/checkout', () => {
  describe('Given a card that needs authentication', () => {
    it('answers 201 with the client secret that the console confirms the payment with, and charges and entitles nothing yet', async () => {
      const { stack } = bed
      const { organizationId, answer, secret, intentId } = await buyUnauthenticated(stack)
      expect(answer.status).toBe(201)
      expect(answer.lines[0]?.subscription).toMatchObject({
        status: 'incomplete',
        plan_code: 'base_ota',
        cancel_at: null,
      })
      expect(answer.lines[0]?.client).toEqual({ action: 'confirm_payment', client_secret: secret })
      const intent = await stack.stripe.paymentIntents.retrieve(intentId)
      expect([intent.status, intent.client_secret]).toEqual(['requires_action', secret])
      expect(await billingState(stack, organizationId)).toEqual(waiting)
      expect(await ota(stack, organizationId)).toMatchObject({ active: false, valid_until: null })
      expect(JSON.stringify(await stack.items())).not.toContain('_secret_')
    })

    it('buys each line of the cart, with a client secret of its own', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard('pm_card_authenticationRequired')
      const good = await stack.addCard(organizationId, 'pm_card_visa')
      const answer = await stack.checkout(organizationId, ['base_ota', 'addon_monitoring', 'gold'])
      expect([answer.status, answer.outcomes]).toEqual([
        201,
        ['bought incomplete', 'bought incomplete', 'unknown_plan'],
      ])
      const secrets = answer.lines.flatMap(({ client }) => client?.client_secret ?? [])
      expect(new Set(secrets).size).toBe(2)
      const mixed = await stack.checkout(organizationId, ['addon_remote_ssh'], { card: good })
      expect(mixed.outcomes).toEqual(['bought active'])
      expect(await stack.charges(organizationId)).toBe(1)
    })
  })

  describe('Given the same cart again before the buyer has authenticated', () => {
    it.each<[string, (card: string) => CheckoutOptions]>([
      ['naming the card', (card) => ({ card })],
      ['naming none', () => ({ as: 'billing_admin' })],
    ])('answers the same subscription and secret, %s', async (_, optionsWith) => {
      const { stack } = bed
      const { organizationId, card, answer, subscription } = await buyUnauthenticated(stack)
      const again = await stack.checkout(organizationId, ['base_ota'], optionsWith(card))
      expect([again.status, again.body]).toEqual([201, answer.body])
      const all = await stack.subscriptions(organizationId)
      expect(all.map(({ id, metadata }) => [id, metadata.n])).toEqual([[subscription.id, '1']])
      expect(await billingState(stack, organizationId)).toEqual(waiting)
    })
  })

  describe('Given a buyer who has authenticated', () => {
    it('entitles the organization once the webhook is delivered, and answers already_subscribed from then on', async () => {
      const { stack } = bed
      const { organizationId, intentId, subscription } = await buyUnauthenticated(stack)
      await stack.emulator.authenticate(intentId, 'succeed')
      await stack.emulator.flush()
      expect(await billingState(stack, organizationId)).toEqual(bought)
      const periodEnd = (subscription.items.data[0]?.current_period_end ?? 0) * 1000
      const valid_until = new Date(periodEnd).toISOString().replace('.000Z', 'Z')
      expect(await ota(stack, organizationId)).toMatchObject({ active: true, valid_until })
      const again = await stack.checkout(organizationId, ['base_ota'])
      expect([again.status, again.outcomes]).toEqual([409, ['already_subscribed']])
      expect(await billingState(stack, organizationId)).toEqual(bought)
    })

    it('answers already_subscribed before any webhook is delivered, and entitles the organization itself', async () => {
      const { stack } = bed
      await stack.emulator.webhooks('hold')
      const { organizationId, intentId } = await buyUnauthenticated(stack)
      await stack.emulator.authenticate(intentId, 'succeed')
      expect((await stack.slot(organizationId))?.state).toBe('incomplete')
      const again = await stack.checkout(organizationId, ['base_ota'])
      expect([again.status, again.outcomes]).toEqual([409, ['already_subscribed']])
      expect(await billingState(stack, organizationId)).toEqual(bought)
      expect(await ota(stack, organizationId)).toMatchObject({ active: true })
      await stack.emulator.flush('lifo', 2)
      expect(await billingState(stack, organizationId)).toEqual(bought)
    })

    it('answers confirm_payment again where the bank then declines, and pays the same subscription with another card', async () => {
      const { stack } = bed
      const { organizationId, intentId, subscription } = await buyUnauthenticated(
        stack,
        'pm_card_threeDSecureRequiredChargeDeclined',
      )
      await stack.emulator.authenticate(intentId, 'succeed')
      await stack.emulator.flush()
      expect(await billingState(stack, organizationId)).toEqual(waiting)
      const again = await stack.checkout(organizationId, ['base_ota'])
      expect(again.lines[0]?.client?.action).toBe('confirm_payment')
      const card = await stack.addCard(organizationId, 'pm_card_visa')
      expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
      expect((await stack.subscriptions(organizationId)).map(({ id, status }) => [id, status])).toEqual([
        [subscription.id, 'active'],
      ])
      expect(await stack.charges(organizationId)).toBe(1)
    })
  })
})
