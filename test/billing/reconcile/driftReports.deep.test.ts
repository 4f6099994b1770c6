import { beforeAll, describe, expect, it } from '@jest/globals'
import { createAtGateway, purchaseMetadata } from '../createAtGateway.ts'
import { customerOf, subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { driftOf, reportsOf, runReconcile } from './runReconcile.ts'

const bed = useCleanStack()
beforeAll(() => bed.stack.emulator.allowSeveralLive())

const run = (options = {}) => runReconcile(options)

/** A subscribed organization whose further changes at the gateway are not heard of. */
async function subscribed() {
  const found = await subscribedOrganization(bed.stack)
  await bed.stack.emulator.webhooks('hold')
  return found
}

/** The PaymentIntent that paid the subscription's latest invoice. */
async function paymentOf(subscriptionId: string): Promise<string> {
  const expand = ['latest_invoice.payments']
  const { latest_invoice: invoice } = await bed.stack.stripe.subscriptions.retrieve(subscriptionId, { expand })
  const payment = typeof invoice === 'object' ? invoice?.payments?.data[0]?.payment.payment_intent : undefined
  return typeof payment === 'string' ? payment : ''
}

const isEntitled = async (organizationId: string) =>
  (await bed.stack.entitlements(organizationId)).find(({ product }) => product === 'ota')?.active

describe('What a person changed in the Dashboard is reported, and left as it is', () => {
  it('another quantity, another item and another discount', async () => {
    const { stripe } = bed.stack
    const { organizationId, subscriptionId } = await subscribed()
    const { items } = await stripe.subscriptions.retrieve(subscriptionId)
    const { id: coupon } = await bed.stack.newCoupon()
    const { data } = await stripe.prices.list({ lookup_keys: ['addon_monitoring'] })
    await stripe.subscriptions.update(subscriptionId, {
      items: [{ id: items.data[0]?.id ?? '', quantity: 2 }, { price: data[0]?.id ?? '' }],
      discounts: [{ coupon }],
    })
    const reports = reportsOf(await run(), organizationId)
    expect(reports.toSorted()).toEqual([
      `it has another discount: no coupon -> coupon ${coupon}`,
      'its items were changed: 1 item -> 2 items',
      `its price is of another product: base_ota -> ${data[0]?.id}`,
      'its quantity was changed: quantity 1 -> quantity 2',
    ])
    expect(reportsOf(await run(), organizationId)).toHaveLength(4)
    expect(await isEntitled(organizationId)).toBe(true)
  })

  it('a subscription of our customer without our metadata, which is neither adopted nor canceled', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.emulator.webhooks('hold')
    const customer = await customerOf(stack, organizationId)
    const made = await createAtGateway(stack, { customer, default_payment_method: card })
    const why = 'a subscription of this customer that was not sold here'
    expect(reportsOf(await run(), organizationId)).toEqual([`${why}: not known -> active, n=none`])
    expect((await stack.stripe.subscriptions.retrieve(made.id)).status).toBe('active')
    expect(await isEntitled(organizationId)).toBe(false)
    await stack.stripe.subscriptions.cancel(made.id)
    expect(reportsOf(await run(), organizationId)).toEqual([])
  })

  it('metadata that were removed: the slot still follows its subscription', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribed()
    const metadata = { organization_id: '', product: '', plan_code: '', n: '', user_id: '' }
    await stack.stripe.subscriptions.update(subscriptionId, { metadata, cancel_at_period_end: true })
    const found = driftOf(await run(), organizationId)
    expect(found).toEqual([
      'report ota: active, n=1 -> active, n=none',
      'project ota: active, n=1 -> active, n=none, done',
    ])
    expect(await stack.slot(organizationId)).toMatchObject({ subscription: { cancelAt: expect.any(Number) } })
  })

  it('metadata that name another product: nothing is adopted for it', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribed()
    const named = { product: 'monitoring', plan_code: 'addon_monitoring', n: '5' }
    await stack.stripe.subscriptions.update(subscriptionId, { metadata: named })
    const reports = reportsOf(await run(), organizationId)
    expect(reports).toContain('its metadata name a product that it does not sell: none, n=0 -> active, n=5')
    expect(reports).toContain('its metadata name another slot: active, n=1 -> active, n=5')
    expect(await stack.slot(organizationId, 'addon_monitoring')).not.toMatchObject({ state: 'active' })
    const active = (await stack.entitlements(organizationId)).filter((entitlement) => entitlement.active)
    expect(active.map(({ product }) => product)).toEqual(['ota'])
  })

  it('a full refund of the current period, but not a part of it', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribed()
    const payment_intent = await paymentOf(subscriptionId)
    await stack.stripe.refunds.create({ payment_intent, amount: 100 })
    expect(reportsOf(await run(), organizationId)).toEqual([])
    await stack.stripe.refunds.create({ payment_intent })
    const reports = new Set(reportsOf(await run(), organizationId))
    expect([...reports]).toEqual(['its period was refunded in full, and it is entitled: active, n=1 -> active, n=1'])
    expect(await isEntitled(organizationId)).toBe(true)
    await stack.stripe.subscriptions.cancel(subscriptionId)
    expect(driftOf(await run(), organizationId)).toEqual(['free ota: active, n=1 -> canceled, n=1, done'])
  })

  it('a dispute that was lost, but none that is under review', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribed()
    const payment_intent = await paymentOf(subscriptionId)
    const [charge] = (await stack.stripe.charges.list({ payment_intent })).data
    const { id } = await stack.emulator.dispute(charge?.id ?? '')
    expect(reportsOf(await run(), organizationId)).toEqual([])
    await stack.stripe.disputes.close(id)
    expect(reportsOf(await run(), organizationId)).toEqual([
      'the dispute of a payment was lost, and it is entitled: active, n=1 -> active, n=1',
    ])
    expect(await isEntitled(organizationId)).toBe(true)
  })

  it('a paid subscription that ended and was in no slot, until it is refunded', async () => {
    const { stack } = bed
    const { organizationId, card } = await subscribed()
    await stack.emulator.advance(60)
    const customer = await customerOf(stack, organizationId)
    const metadata = purchaseMetadata(stack, organizationId, 2)
    const made = await createAtGateway(stack, { customer, default_payment_method: card, metadata })
    const payment_intent = await paymentOf(made.id)
    await stack.stripe.subscriptions.cancel(made.id)
    const why = 'it ended, and keeps a payment that no slot recorded'
    expect(reportsOf(await run(), organizationId)).toEqual([`${why}: active, n=1 -> canceled, n=2`])
    expect(reportsOf(await run(), organizationId)).toEqual([`${why}: active, n=2 -> canceled, n=2`])
    await stack.stripe.refunds.create({ payment_intent })
    expect(reportsOf(await run(), organizationId)).toEqual([])
  })

  it('an earlier purchase that was used and canceled is no difference', async () => {
    const { stack } = bed
    const { organizationId, card } = await subscribedOrganization(stack)
    await stack.emulator.advance(60)
    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    await stack.emulator.advance(60)
    await stack.checkout(organizationId, ['base_ota'], { card })
    await stack.emulator.flush()
    expect(driftOf(await run(), organizationId)).toEqual([])
  })
})
