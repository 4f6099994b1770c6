import { describe, expect, it } from '@jest/globals'
import { billingState, bought, waiting } from '../billingState.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { buyUnauthenticated } from './buyUnauthenticated.ts'

const bed = useCleanStack()

describe('POST /api/billing/checkout', () => {
  describe('Given the same cart again before the buyer has authenticated', () => {
    it('answers the same to ten requests at once, and makes one subscription', async () => {
      const { stack } = bed
      const { organizationId, answer } = await buyUnauthenticated(stack)
      const token = await stack.token()
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => stack.checkoutWith(token, organizationId, ['base_ota'])),
      )
      expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [201, answer.body]))
      expect(await billingState(stack, organizationId)).toEqual(waiting)
    })
  })

  describe('Given a buyer who has failed to authenticate', () => {
    it.each([
      ['naming the card, before the webhook', true, 'hold'],
      ['naming the card, after the webhook', true, 'deliver'],
      ['naming none, after the webhook', false, 'deliver'],
    ] as const)('answers confirm_payment with the same secret, %s', async (_, named, mode) => {
      const { stack } = bed
      await stack.emulator.webhooks(mode)
      const { organizationId, card, secret, intentId, subscription } = await buyUnauthenticated(stack)
      await stack.emulator.authenticate(intentId, 'fail')
      if (mode === 'deliver') await stack.emulator.flush()
      expect(await billingState(stack, organizationId)).toEqual(waiting)

      const again = await stack.checkout(organizationId, ['base_ota'], named ? { card } : {})
      expect([again.status, again.outcomes]).toEqual([201, ['bought incomplete']])
      expect(again.lines[0]?.client).toEqual({ action: 'confirm_payment', client_secret: secret })
      await stack.emulator.authenticate(intentId, 'succeed')
      await stack.emulator.flush()
      expect(await billingState(stack, organizationId)).toEqual(bought)
      expect((await stack.subscriptions(organizationId)).map(({ id }) => id)).toEqual([subscription.id])
    })
  })
})
