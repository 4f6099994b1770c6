import { beforeEach, describe, expect, it } from '@jest/globals'
import { customerOf, storedAccount, subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { deliver, latestEvent } from './webhookRequests.ts'

const bed = useCleanStack()

describe('POST to the webhook', () => {
  describe('Given customer.deleted', () => {
    beforeEach(() => bed.stack.emulator.webhooks('hold'))

    it.each(['fifo', 'lifo'] as const)(
      'frees the slots of its subscriptions and unbinds the customer (%s)',
      async (order) => {
        const { stack } = bed
        const { organizationId } = await subscribedOrganization(stack)
        const first = await customerOf(stack, organizationId)
        expect(await storedAccount(stack, organizationId)).toMatchObject({ custRev: 0, custCipher: expect.any(String) })
        await stack.stripe.customers.del(first)
        const delivered = await stack.emulator.flush(order)
        const refused = delivered.filter(({ status }) => status !== 200)
        expect(refused.map(({ type, status }) => [type, status])).toEqual(
          order === 'lifo' ? [['customer.deleted', 500]] : [],
        )
        expect((await stack.emulator.flush()).every(({ status }) => status === 200)).toBe(true)

        expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled' })
        expect((await stack.entitlements(organizationId)).map(({ active }) => active)).toEqual([
          false,
          false,
          false,
          false,
        ])
        const account = await storedAccount(stack, organizationId)
        expect(account.custRev).toBe(1)
        expect(account).not.toHaveProperty('custCipher')
        expect(account).not.toHaveProperty('custDigest')

        const card = await stack.addCard(organizationId, 'pm_card_visa')
        expect(await customerOf(stack, organizationId)).not.toBe(first)
        expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
        expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 2 })
      },
    )

    it('answers 500 while a slot is held, and 200 once none is', async () => {
      const { stack } = bed
      const { organizationId, subscriptionId } = await subscribedOrganization(stack)
      const customer = await customerOf(stack, organizationId)
      await stack.stripe.customers.del(customer)
      const deleted = await latestEvent(stack, 'customer.deleted', customer)
      expect(await deliver(stack, deleted)).toBe(500)
      expect(await storedAccount(stack, organizationId)).toMatchObject({ custRev: 0, custCipher: expect.any(String) })

      expect(await deliver(stack, await latestEvent(stack, 'customer.subscription.deleted', subscriptionId))).toBe(200)
      expect(await deliver(stack, deleted)).toBe(200)
      expect(await storedAccount(stack, organizationId)).toMatchObject({ custRev: 1 })
      expect(await deliver(stack, deleted)).toBe(200)
      expect(await storedAccount(stack, organizationId)).toMatchObject({ custRev: 1 })
    })

    it('does not change an organization that has another customer', async () => {
      const { stack } = bed
      const { organizationId } = await stack.organizationWithCard()
      const other = await stack.stripe.customers.create({ metadata: { organization_id: organizationId } })
      await stack.stripe.customers.del(other.id)
      expect(await deliver(stack, await latestEvent(stack, 'customer.deleted', other.id))).toBe(200)
      expect(await storedAccount(stack, organizationId)).toMatchObject({ custRev: 0, custCipher: expect.any(String) })
    })
  })
})
