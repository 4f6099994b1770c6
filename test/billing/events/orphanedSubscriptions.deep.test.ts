import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type Stripe from 'stripe'
import { createAtGateway, purchaseMetadata } from '../createAtGateway.ts'
import { customerOf, expectProjected, heldSubscription, subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { deliver, latestEvent } from './webhookRequests.ts'

const bed = useCleanStack()
beforeAll(() => bed.stack.emulator.allowSeveralLive())

const CREATED = 'customer.subscription.created'

const ours = (organizationId: string, n = 1) => purchaseMetadata(bed.stack, organizationId, n)

/** A live subscription that was created at the gateway and paid with the customer's card. */
async function createPaid(customer: string, card: string, metadata: Record<string, string>) {
  const subscription = await createAtGateway(bed.stack, { customer, default_payment_method: card, metadata })
  expect(subscription.status).toBe('active')
  return subscription
}

/** The charges of a subscription's customer, newest first. */
async function chargesOf({ customer }: Stripe.Subscription) {
  const id = typeof customer === 'string' ? customer : customer.id
  const { data } = await bed.stack.stripe.charges.list({ customer: id })
  return data.map(({ paid, refunded }) => ({ paid, refunded }))
}

describe('POST to the webhook, for a live subscription that no slot holds', () => {
  beforeEach(() => bed.stack.emulator.webhooks('hold'))

  it.each(['fifo', 'lifo'] as const)('adopts it where its slot is free (%s)', async (order) => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const subscription = await createPaid(await customerOf(stack, organizationId), card, ours(organizationId))
    expect(await stack.slot(organizationId)).toBeUndefined()
    const delivered = await stack.emulator.flush(order)
    expect(delivered.filter(({ status }) => status !== 200)).toEqual([])

    expect(await stack.slot(organizationId)).toMatchObject({
      state: 'active',
      n: 1,
      subscription: { id: subscription.id },
    })
    await expectProjected(stack, organizationId)
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['already_subscribed'])
    expect((await stack.cancel(organizationId, { product: 'ota', at_period_end: false })).status).toBe(200)
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    expect(await stack.slot(organizationId)).toMatchObject({ n: 2 })
  })

  describe('Given another subscription that holds the slot', () => {
    async function secondSubscription() {
      const { stack } = bed
      const { organizationId, card, subscriptionId: first } = await subscribedOrganization(stack)
      await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
      expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
      await stack.emulator.flush()
      const subscriptionId = await heldSubscription(stack, organizationId)
      // As a first purchase that arrives late, after the second one was made: no other subscription has its number.
      await stack.stripe.subscriptions.update(first, { metadata: { n: '' } })
      await stack.emulator.flush()
      const second = await createPaid(await customerOf(stack, organizationId), card, ours(organizationId))
      const event = await latestEvent(stack, CREATED, second.id)
      return { organizationId, first, subscriptionId, second, event }
    }

    /** Fails unless the second one is canceled and refunded, and the first one unchanged. */
    async function expectRemoved(organization: Awaited<ReturnType<typeof secondSubscription>>): Promise<void> {
      const { stack } = bed
      const all = (await stack.subscriptions(organization.organizationId)).filter(({ id }) => id !== organization.first)
      expect(all.map(({ id, status }) => [id, status])).toEqual([
        [organization.second.id, 'canceled'],
        [organization.subscriptionId, 'active'],
      ])
      expect(await chargesOf(organization.second)).toEqual([
        { paid: true, refunded: true },
        { paid: true, refunded: false },
        { paid: true, refunded: false },
      ])
      const entries = await stack.auditEntries(organization.organizationId)
      const refunds = entries.filter(({ action }) => action === 'subscription.refunded')
      expect(refunds).toMatchObject([{ actor: { type: 'system', id: null }, target: 'ota', detail: { n: 1 } }])
      const slot = { state: 'active', n: 2, subscription: { id: organization.subscriptionId } }
      expect(await stack.slot(organization.organizationId)).toMatchObject(slot)
    }

    it('cancels it and refunds its payment, once', async () => {
      const organization = await secondSubscription()
      expect(await deliver(bed.stack, organization.event)).toBe(200)
      await expectRemoved(organization)
      expect(await deliver(bed.stack, organization.event)).toBe(200)
      const delivered = await bed.stack.emulator.flush('lifo', 2)
      expect(delivered.filter(({ status }) => status !== 200)).toEqual([])
      await expectRemoved(organization)
    })

    it.each([
      ['the refund fails', { method: 'POST', path: '/v1/refunds', kind: 'status', status: 503, times: 2 }],
      ['the answer to the refund is lost', { method: 'POST', path: '/v1/refunds', kind: 'drop_after', times: 2 }],
      ['the invoices cannot be read', { method: 'GET', path: '/v1/invoices', kind: 'status', status: 503, times: 2 }],
      ['the cancellation fails', { method: 'DELETE', path: '/v1/subscriptions/*', kind: 'drop_before', times: 2 }],
      [
        'the answer to the cancellation is lost',
        { method: 'DELETE', path: '/v1/subscriptions/*', kind: 'drop_after', times: 2 },
      ],
    ] as const)('answers 500 where %s, and has canceled and refunded it when delivered again', async (_, fault) => {
      const organization = await secondSubscription()
      await bed.stack.emulator.fault(fault)
      expect(await deliver(bed.stack, organization.event)).toBe(500)
      expect(await deliver(bed.stack, organization.event)).toBe(200)
      await expectRemoved(organization)
    })
  })

  it('does not change it where its organization has another customer', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    const stranger = await stack.stripe.customers.create({})
    const { id: card } = await stack.stripe.paymentMethods.attach('pm_card_visa', { customer: stranger.id })
    const subscription = await createPaid(stranger.id, card, ours(organizationId))
    stack.dynamoDb.reset()
    await stack.emulator.clearRequests()
    expect(await deliver(stack, await latestEvent(stack, CREATED, subscription.id))).toBe(200)
    expect(stack.writes()).toEqual([])
    expect((await stack.emulator.requests()).map(({ path }) => path)).toEqual(['/v1/events'])
    expect(await stack.slot(organizationId)).toBeUndefined()
    expect(await stack.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' })
    expect(await chargesOf(subscription)).toEqual([{ paid: true, refunded: false }])
    await stack.stripe.subscriptions.cancel(subscription.id)
  })
})
