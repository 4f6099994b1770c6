import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { invoicedOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { subscriptionResource } from '../../../lib/billing/slot/subscriptionResource.ts'
import { toRfc3339 } from '../../../lib/core/clock.ts'
import { subscribedOrganization, subscriptionOf } from '../gatewayView.ts'
import { driftOf, reportsOf, runReconcile } from '../reconcile/runReconcile.ts'
import { useCleanStack } from '../useCleanStack.ts'

const bed = useCleanStack()

const HOUR = 3600
const listSchema = z.strictObject({ subscriptions: z.array(subscriptionResource), next_cursor: z.null() })
const sold = { amount: 4900, currency: 'usd', interval: 'month', interval_count: 1 }

async function shown(organizationId: string) {
  const { body } = await bed.stack.get('subscriptions', organizationId, 'member')
  const ota = listSchema.parse(body).subscriptions.find(({ product }) => product === 'ota')
  return { price: ota?.price, next_charge: ota?.next_charge }
}

const costs = (organizationId: string) =>
  shown(organizationId).then(({ next_charge }) => (next_charge ? [next_charge.amount, next_charge.at] : null))

const at = (seconds: number | null | undefined) => toRfc3339((seconds ?? 0) * 1000)

/** When the period of its one subscription ends, Unix seconds. */
const periodEnd = async (organizationId: string) =>
  (await subscriptionOf(bed.stack, organizationId)).items.data[0]?.current_period_end ?? 0

async function pass(seconds: number): Promise<void> {
  await bed.stack.emulator.advance(seconds)
  await bed.stack.emulator.flush()
}

/** Until a moment after the end of the period; the invoice of the next one is a draft for an hour. */
async function renew(organizationId: string, after: number): Promise<void> {
  await pass((await periodEnd(organizationId)) - (await bed.stack.emulator.now()) + after)
}

const latestInvoice = async (organizationId: string) => {
  const { latest_invoice } = await subscriptionOf(bed.stack, organizationId)
  return bed.stack.stripe.invoices.retrieve(String(latest_invoice))
}

describe('A subscription says what it costs', () => {
  it('in the answer that bought it and in the list: the price as sold, and what is charged at the end of the period', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const { lines } = await stack.checkout(organizationId, ['base_ota'], { card })
    const next_charge = { amount: 4900, at: at(await periodEnd(organizationId)) }
    expect(lines).toMatchObject([{ subscription: { price: sold, next_charge } }])
    expect(await shown(organizationId)).toEqual({ price: sold, next_charge })
    await stack.emulator.flush()
    expect(await shown(organizationId)).toEqual({ price: sold, next_charge })
  })

  it.each([
    ['once', 4900],
    ['forever', 3283],
  ] as const)('to the cent of its renewal, with a coupon that lasts %s', async (duration, amount) => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    const { code } = await stack.newCoupon({ percent_off: 33, duration })
    await stack.checkout(organizationId, ['base_ota'], { card, coupon: code })
    expect(await shown(organizationId)).toMatchObject({ price: sold, next_charge: { amount } })
    await renew(organizationId, 2 * HOUR)
    expect((await latestInvoice(organizationId)).amount_paid).toBe(amount)
    expect(await costs(organizationId)).toEqual([amount, at(await periodEnd(organizationId))])
  })

  it('at the price that it was sold at, once that is archived and another is listed', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    const [old] = (await stack.stripe.prices.list({ lookup_keys: ['base_ota'] })).data
    const moved = { lookup_key: 'base_ota', transfer_lookup_key: true }
    const terms = { currency: 'usd', recurring: { interval: 'month' }, product: String(old?.product) } as const
    await stack.stripe.prices.create({ ...terms, ...moved, unit_amount: 9900 })
    await stack.stripe.prices.update(old?.id ?? '', { active: false })
    await renew(organizationId, 2 * HOUR)
    expect(await shown(organizationId)).toMatchObject({ price: sold, next_charge: { amount: 4900 } })
    await stack.stripe.prices.update(old?.id ?? '', { active: true, ...moved })
  })

  it('and that nothing is charged while its end is scheduled, and once it has ended', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    await stack.cancel(organizationId, { product: 'ota', at_period_end: true })
    expect(await shown(organizationId)).toEqual({ price: sold, next_charge: null })
    const resumed = await stack.post('/api/billing/subscriptions/ota/resume', organizationId, {})
    const next_charge = { amount: 4900, at: at(await periodEnd(organizationId)) }
    expect(resumed.body).toMatchObject({ price: sold, next_charge })
    await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect(await shown(organizationId)).toEqual({ price: sold, next_charge: null })
  })

  it('and that nothing is charged of an incomplete purchase by itself, nor while a person paused its collection', async () => {
    const { stack } = bed
    const { organizationId } = await stack.organizationWithCard('pm_card_authenticationRequired')
    const { outcomes } = await stack.checkout(organizationId, ['base_ota'])
    expect(outcomes).toEqual(['bought incomplete'])
    expect(await shown(organizationId)).toEqual({ price: sold, next_charge: null })

    const paused = await subscribedOrganization(stack)
    await stack.emulator.advance(10)
    await stack.stripe.subscriptions.update(paused.subscriptionId, { pause_collection: { behavior: 'void' } })
    await stack.emulator.flush()
    expect(await shown(paused.organizationId)).toEqual({ price: sold, next_charge: null })
  })

  it('while it is past due: the open invoice at its next attempt, and the next period’s once it is paid or given up', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const failing = await stack.addCard(organizationId, 'pm_card_chargeCustomerFail')
    await stack.stripe.subscriptions.update(subscriptionId, { default_payment_method: failing })
    await renew(organizationId, 60)
    const draft = await latestInvoice(organizationId)
    expect(await costs(organizationId)).toEqual([4900, at(draft.automatically_finalizes_at)])
    await pass(2 * HOUR)
    const open = await latestInvoice(organizationId)
    expect(open.next_payment_attempt).toBeGreaterThan(open.created)
    expect(await costs(organizationId)).toEqual([4900, at(open.next_payment_attempt)])
    await pass((open.next_payment_attempt ?? 0) - (await stack.emulator.now()) + 60)
    const retried = await latestInvoice(organizationId)
    expect(retried.next_payment_attempt).toBeGreaterThan(open.next_payment_attempt ?? 0)
    expect(await costs(organizationId)).toEqual([4900, at(retried.next_payment_attempt)])
    const payment_method = await stack.addCard(organizationId, 'pm_card_visa')
    await stack.post('/api/billing/subscriptions/ota/pay', organizationId, { payment_method_id: payment_method })
    expect(await costs(organizationId)).toEqual([4900, at(await periodEnd(organizationId))])
  })

  it('on account: the first invoice once it is sent, and then the next one, also while one is overdue', async () => {
    const { stack } = bed
    const organizationId = await invoicedOrganization(stack.client, 7)
    const { lines } = await stack.checkout(organizationId, ['base_ota'])
    const draft = await latestInvoice(organizationId)
    const first = { amount: 4900, at: at(draft.automatically_finalizes_at) }
    expect(lines).toMatchObject([{ subscription: { price: sold, next_charge: first } }])
    await pass(2 * HOUR)
    const next = [4900, at(await periodEnd(organizationId))]
    expect(await costs(organizationId)).toEqual(next)
    await pass(8 * 24 * HOUR)
    expect((await subscriptionOf(stack, organizationId)).status).toBe('past_due')
    expect(await costs(organizationId)).toEqual(next)
  })
})

describe('Given that the gateway does not say what is charged next', () => {
  const path = '/v1/invoices/create_preview'

  it('a purchase is bought all the same, and the daily pass learns the figure without a difference', async () => {
    const { stack } = bed
    const { organizationId, card } = await stack.organizationWithCard()
    await stack.emulator.fault({ method: 'POST', path, kind: 'status', status: 503, times: 999 })
    const { outcomes } = await stack.checkout(organizationId, ['base_ota'], { card })
    expect(outcomes).toEqual(['bought active'])
    await stack.emulator.flush()
    expect(await shown(organizationId)).toEqual({ price: sold, next_charge: null })
    await stack.emulator.clearFaults()
    const before = await stack.slot(organizationId)
    expect(driftOf(await runReconcile({ dryRun: true }), organizationId)).toEqual([])
    expect(await stack.slot(organizationId)).toEqual(before)
    expect(driftOf(await runReconcile(), organizationId)).toEqual([])
    expect(await costs(organizationId)).toEqual([4900, at(await periodEnd(organizationId))])
    const { rev } = z.object({ rev: z.number() }).parse(await stack.slot(organizationId))
    await runReconcile()
    expect(await stack.slot(organizationId)).toMatchObject({ rev })
  })

  it('an event keeps no figure of before', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    await stack.emulator.advance(10)
    const { id: coupon } = await stack.newCoupon({ percent_off: 50, duration: 'forever' })
    await stack.emulator.fault({ method: 'POST', path, kind: 'drop_before', times: 9 })
    await stack.stripe.subscriptions.update(subscriptionId, { discounts: [{ coupon }] })
    await stack.emulator.flush()
    expect(await shown(organizationId)).toEqual({ price: sold, next_charge: null })
    await stack.emulator.clearFaults()
    await runReconcile()
    expect(await shown(organizationId)).toMatchObject({ next_charge: { amount: 2450 } })
  })
})

describe('The daily pass', () => {
  it('fills in what an older record does not say, without a difference', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    const item = (await stack.items()).find(({ sk }) => sk === `SLOT#base_ota:${organizationId}`)
    const { price: _price, nextCharge: _next, ...older } = z.looseObject({}).parse(item?.subscription)
    await stack.putItem({ ...item, subscription: older })
    expect(await shown(organizationId)).toEqual({ price: null, next_charge: null })
    expect(driftOf(await runReconcile(), organizationId)).toEqual([])
    const next_charge = { amount: 4900, at: at(await periodEnd(organizationId)) }
    expect(await shown(organizationId)).toEqual({ price: sold, next_charge })
  })

  it('reports a price that somebody replaced, of the same product, every day; the price as sold stays', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await subscribedOrganization(stack)
    const { items } = await stack.stripe.subscriptions.retrieve(subscriptionId)
    const [item] = items.data
    const product = String(item?.price.product)
    const cent = await stack.stripe.prices.create({
      product,
      currency: 'usd',
      unit_amount: 1,
      recurring: { interval: 'month' },
    })
    await stack.emulator.advance(10)
    const changed = [{ id: item?.id ?? '', price: cent.id }]
    await stack.stripe.subscriptions.update(subscriptionId, { items: changed, proration_behavior: 'none' })
    await stack.emulator.flush()
    expect(await shown(organizationId)).toMatchObject({ price: sold, next_charge: { amount: 1 } })
    const report = ['its price was replaced: 4900 usd / 1 month -> 1 usd / 1 month']
    expect(reportsOf(await runReconcile(), organizationId)).toEqual(report)
    expect(reportsOf(await runReconcile(), organizationId)).toEqual(report)
  })
})
