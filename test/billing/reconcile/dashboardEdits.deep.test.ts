import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createAtGateway, purchaseMetadata } from '../createAtGateway.ts'
import { deliver, latestEvent, postWebhook, signed } from '../events/webhookRequests.ts'
import { customerOf, expectProjected, heldSubscription, storedAccount, subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { logErrors, reportsOf } from './reportedSubscriptions.ts'

const bed = useCleanStack()
beforeAll(logErrors)
beforeEach(() => bed.stack.emulator.webhooks('hold'))

/** Subscriptions by status, and how much was given back, of the organization's customer. */
async function atGateway(organizationId: string) {
  const { stack } = bed
  const customer = await customerOf(stack, organizationId)
  const { data } = await stack.stripe.subscriptions.list({ customer, status: 'all' })
  const charges = await stack.stripe.charges.list({ customer })
  return {
    subscriptions: Object.fromEntries(data.map(({ id, status }) => [id, status])),
    refunded: charges.data.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
  }
}

async function flush(order: 'fifo' | 'lifo'): Promise<void> {
  const delivered = await bed.stack.emulator.flush(order)
  expect(delivered.filter(({ status }) => status !== 200)).toEqual([])
}

describe('POST to the webhook, after somebody worked in the Dashboard', () => {
  // [bug 1]
  it.each(['fifo', 'lifo'] as const)(
    'adopts a subscription made by hand in the place of a canceled one, with its metadata, and refunds nothing (%s)',
    async (order) => {
      const { stack } = bed
      const { organizationId, card, subscriptionId } = await subscribedOrganization(stack)
      const { metadata } = await stack.stripe.subscriptions.cancel(subscriptionId)
      const customer = await customerOf(stack, organizationId)
      const handMade = await createAtGateway(stack, { customer, default_payment_method: card, metadata })
      await flush(order)
      expect(await stack.slot(organizationId)).toMatchObject({
        state: 'active',
        n: 1,
        subscription: { id: handMade.id },
      })
      await expectProjected(stack, organizationId)
      const subscriptions = { [subscriptionId]: 'canceled', [handMade.id]: 'active' }
      expect(await atGateway(organizationId)).toEqual({ subscriptions, refunded: 0 })
    },
  )

  it('reports one made by hand beside the live one whose metadata it has, and touches neither', async () => {
    const { stack } = bed
    await stack.emulator.allowSeveralLive()
    const { organizationId, card, subscriptionId } = await subscribedOrganization(stack)
    const { metadata } = await stack.stripe.subscriptions.retrieve(subscriptionId)
    const customer = await customerOf(stack, organizationId)
    const handMade = await createAtGateway(stack, { customer, default_payment_method: card, metadata })
    const reports = await reportsOf(() => flush('lifo'))
    expect(reports.length).toBeGreaterThan(0)
    expect(new Set(reports.map(String))).toEqual(new Set([`${handMade.id},live beside the slot’s own`]))
    const subscriptions = { [subscriptionId]: 'active', [handMade.id]: 'active' }
    expect(await atGateway(organizationId)).toEqual({ subscriptions, refunded: 0 })
    expect(await stack.slot(organizationId)).toMatchObject({ subscription: { id: subscriptionId } })
    await stack.stripe.subscriptions.cancel(handMade.id)
  })

  it.each([
    ['none of our metadata', () => ({})],
    ['metadata of another service', () => ({ organization_id: 'org-7', n: 'x' })],
    ['a plan that is not ours', (metadata: Record<string, string>) => ({ ...metadata, plan_code: 'base_other' })],
    ['no purchase number', (metadata: Record<string, string>) => ({ ...metadata, n: '0' })],
  ])('reports one made by hand with %s, and does not change it', async (_, edit) => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const metadata = edit(purchaseMetadata(stack, organizationId))
    const customer = await customerOf(stack, organizationId)
    const handMade = await createAtGateway(stack, { customer, default_payment_method: card, metadata })
    const event = await latestEvent(stack, 'customer.subscription.created', handMade.id)
    const reports = await reportsOf(async () => expect(await deliver(stack, event)).toBe(200))
    expect(reports).toEqual([[handMade.id, 'live on a customer of ours, without our metadata']])
    expect(await atGateway(organizationId)).toEqual({ subscriptions: { [handMade.id]: 'active' }, refunded: 0 })
    expect(await stack.slot(organizationId)).toBeUndefined()
    await stack.stripe.subscriptions.cancel(handMade.id)
  })

  // [bug 6]
  it.each([
    ['names another product', { product: 'monitoring', plan_code: 'addon_monitoring' }],
    ['names another organization', { organization_id: 'a-different-one' }],
    ['has another purchase number', { n: '7' }],
    ['is removed', { organization_id: '', product: '', plan_code: '', n: '', user_id: '' }],
  ])('ends the entitlement with the subscription, also where its metadata %s', async (_, edited) => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const metadata =
      'organization_id' in edited && edited.organization_id === 'a-different-one'
        ? { organization_id: await stack.client.newOrganization() }
        : edited
    await stack.stripe.subscriptions.update(subscriptionId, { metadata })
    await flush('fifo')
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    await stack.stripe.subscriptions.cancel(subscriptionId)
    await flush('fifo')
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled', subscription: { id: subscriptionId } })
    expect((await stack.entitlements(organizationId)).map(({ active }) => active)).toEqual([false, false, false, false])
    expect(await stack.slot(organizationId, 'addon_monitoring')).toBeUndefined()
  })

  it('forgets a deleted customer whose metadata was removed', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard()
    const customer = await customerOf(stack, organizationId)
    await stack.stripe.customers.update(customer, { metadata: { organization_id: '' } })
    await stack.stripe.customers.del(customer)
    await flush('fifo')
    expect(await storedAccount(stack, organizationId)).toMatchObject({ custRev: 1 })
  })

  // [bug 12]
  it('acknowledges and reports an event of a subscription that the gateway does not know, where it knows the customer', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const event = await latestEvent(stack, 'customer.subscription.created', subscriptionId)
    await stack.emulator.advance(10)
    const created = await stack.emulator.now()
    const payload = JSON.stringify({ ...event, created }).replaceAll(subscriptionId, 'sub_of_another_account')
    const signature = await signed(stack, payload)
    const reports = await reportsOf(async () =>
      expect(await postWebhook(stack, payload, [signature])).toMatchObject({ status: 200 }),
    )
    expect(reports).toEqual([['sub_of_another_account', 'not known to the gateway']])
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', subscription: { id: subscriptionId } })
  })

  it('answers 500 where the customer is not known either: the key may be of another account or mode', async () => {
    const { stack } = bed
    const { subscriptionId } = await subscribedOrganization(stack)
    await stack.emulator.advance(10)
    await stack.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
    const event = await latestEvent(stack, 'customer.subscription.updated', subscriptionId)
    for (const path of ['/v1/subscriptions/*', '/v1/customers/*']) {
      await stack.emulator.fault({ method: 'GET', path, kind: 'status', status: 404, times: 9 })
    }
    await reportsOf(async () => expect(await deliver(stack, event)).toBe(500))
    await stack.emulator.clearFaults()
    expect(await deliver(stack, event)).toBe(200)
  })
})

describe('POST to the webhook, for an open invoice that is paid after its subscription has ended', () => {
  // [bug 11]
  it('reports the payment, until it is refunded', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const failing = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
    await stack.emulator.webhooks('hold')
    const { items } = await stack.stripe.subscriptions.update(subscriptionId, { default_payment_method: failing })
    await stack.emulator.advance((items.data[0]?.current_period_end ?? 0) - (await stack.emulator.now()) + 2 * 3600)
    const { latest_invoice: invoice } = await stack.stripe.subscriptions.cancel(subscriptionId)
    await flush('fifo')
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled' })

    await stack.emulator.advance(60)
    const card = await stack.addCard(organizationId, 'pm_card_visa')
    await stack.emulator.webhooks('hold')
    const paid = await stack.stripe.invoices.pay(String(invoice), { payment_method: card })
    const event = await latestEvent(stack, 'invoice.paid', paid.id ?? '')
    const kept = await reportsOf(async () => expect(await deliver(stack, event)).toBe(200))
    expect(kept).toEqual([[subscriptionId, 'ended, and keeps a payment that was not recorded']])

    const { payments } = await stack.stripe.invoices.retrieve(paid.id ?? '', { expand: ['payments'] })
    const intent = payments?.data.find(({ status }) => status === 'paid')?.payment.payment_intent
    await stack.stripe.refunds.create({ payment_intent: String(intent) })
    expect(await reportsOf(async () => expect(await deliver(stack, event)).toBe(200))).toEqual([])
  })
})

describe('POST to the webhook, after an older item was put back', () => {
  // [bug 1]
  it.each(['fifo', 'lifo'] as const)('adopts the live subscription, and refunds nothing (%s)', async (order) => {
    const { stack } = bed
    const { organizationId, card, subscriptionId: first } = await subscribedOrganization(stack)
    const older = (await stack.items()).filter(({ pk }) => String(pk).endsWith(`#${organizationId}`))
    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect((await stack.checkout(organizationId, ['base_ota'], { card })).outcomes).toEqual(['bought active'])
    await flush('fifo')
    const second = await heldSubscription(stack, organizationId)

    for (const item of older) await stack.putItem(item)
    expect(await stack.slot(organizationId)).toMatchObject({ n: 1, subscription: { id: first } })
    await stack.emulator.advance(60)
    await stack.stripe.subscriptions.update(second, { cancel_at_period_end: true })
    await flush(order)

    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active', n: 2, raisedTo: 2 })
    await expectProjected(stack, organizationId)
    const subscriptions = { [first]: 'canceled', [second]: 'active' }
    expect(await atGateway(organizationId)).toEqual({ subscriptions, refunded: 0 })
  })
})
