import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { buyUnauthenticated } from '../../checkout/buyUnauthenticated.ts'
import {
  customerOf,
  expectProjected,
  renewedOrganization,
  subscribedOrganization,
  subscriptionOf,
} from '../../gatewayView.ts'
import { reportsOf, runReconcile } from '../../reconcile/runReconcile.ts'
import { useCleanStack } from '../../useCleanStack.ts'

const bed = useCleanStack()

const DAY = 86_400
const FAILS = 'pm_card_chargeCustomerFail'

async function invoicesOf(subscription: string) {
  const { data } = await bed.stack.stripe.invoices.list({ subscription, limit: 100 })
  return data.map(({ status }) => status)
}

async function payLinksOf(organizationId: string) {
  const { body } = await bed.stack.get('invoices', organizationId, 'billing_admin')
  const page = z.object({ invoices: z.array(z.object({ status: z.string(), hosted_invoice_url: z.unknown() })) })
  return page.parse(body).invoices.map((row) => `${row.status} ${row.hosted_invoice_url === null ? 'without' : 'with'}`)
}

describe('POST /api/billing/cancel of a past-due subscription', () => {
  it.each([true, false])('ends it and voids its open invoice: at_period_end %s', async (at_period_end) => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await renewedOrganization(stack, FAILS)
    expect(await payLinksOf(organizationId)).toEqual(['open with', 'paid with'])
    await stack.emulator.webhooks('hold')
    const answer = await stack.cancel(organizationId, { product: 'ota', at_period_end })
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled' } })
    expect(await invoicesOf(subscriptionId)).toEqual(['void', 'paid'])
    await expectProjected(stack, organizationId)
    await stack.emulator.webhooks('deliver')
    const charged = await stack.charges(organizationId)
    await stack.emulator.advance(20 * DAY)
    expect(await stack.charges(organizationId)).toBe(charged)
    expect(await stack.cancel(organizationId, { product: 'ota', at_period_end })).toEqual(answer)
    const entries = await stack.auditEntries(organizationId)
    const own = entries.filter(({ action }) => action.startsWith('subscription.cancel'))
    expect(own.map(({ action, actor }) => `${action} ${actor.type}`)).toEqual(['subscription.canceled user'])
  })

  it('does so where the event of the declined renewal is still under way', async () => {
    const { stack } = bed
    await stack.emulator.webhooks('hold')
    const { organizationId, subscriptionId } = await renewedOrganization(stack, FAILS)
    const end = await stack.cancel(organizationId, { product: 'ota' })
    expect(end).toMatchObject({ status: 200, body: { status: 'canceled' } })
    expect(await invoicesOf(subscriptionId)).toEqual(['void', 'paid'])
  })

  it('schedules the end of a subscription whose renewal was paid meanwhile', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await renewedOrganization(stack, FAILS)
    await stack.emulator.webhooks('hold')
    const card = await stack.addCard(organizationId, 'pm_card_visa')
    const [open] = (await stack.stripe.invoices.list({ subscription: subscriptionId, status: 'open' })).data
    await stack.stripe.invoices.pay(open?.id ?? '', { payment_method: card })
    const answer = await stack.cancel(organizationId, { product: 'ota' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'cancellation_scheduled' } })
    expect(await invoicesOf(subscriptionId)).toEqual(['paid', 'paid'])
  })

  it.each([true, false])(
    'ends an unpaid subscription, whose later invoices are drafts: at_period_end %s',
    async (at_period_end) => {
      const { stack } = bed
      await stack.emulator.settings({ after_retries: 'unpaid' })
      const { organizationId, subscriptionId } = await renewedOrganization(stack, FAILS)
      await stack.emulator.advance(40 * DAY)
      await stack.emulator.flush()
      expect(await stack.slot(organizationId)).toMatchObject({ state: 'unpaid' })
      expect(await invoicesOf(subscriptionId)).toEqual(['draft', 'open', 'paid'])
      const answer = await stack.cancel(organizationId, { product: 'ota', at_period_end })
      expect(answer).toMatchObject({ status: 200, body: { status: 'canceled' } })
      expect(await invoicesOf(subscriptionId)).toEqual(['draft', 'void', 'paid'])
      await stack.emulator.settings({ after_retries: 'canceled' })
    },
  )

  it('hides the page of an invoice that stayed open, whose payment the daily pass reports until it is refunded', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await renewedOrganization(stack, FAILS)
    await stack.stripe.subscriptions.cancel(subscriptionId)
    await stack.emulator.flush()
    expect(await payLinksOf(organizationId)).toEqual(['open without', 'paid with'])
    expect(reportsOf(await runReconcile(), organizationId)).toEqual([])
    await stack.emulator.advance(60)
    const card = await stack.addCard(organizationId, 'pm_card_visa')
    const [open] = (await stack.stripe.invoices.list({ subscription: subscriptionId, status: 'open' })).data
    await stack.stripe.invoices.pay(open?.id ?? '', { payment_method: card })
    await stack.emulator.flush()
    const why = 'it ended, and was paid after that: refund the payment at the gateway'
    expect(reportsOf(await runReconcile(), organizationId)).toEqual([`${why}: canceled, n=1 -> canceled, n=1`])
    const { data } = await stack.stripe.invoicePayments.list({ invoice: open?.id ?? '' })
    await stack.stripe.refunds.create({ payment_intent: String(data[0]?.payment.payment_intent) })
    expect(reportsOf(await runReconcile(), organizationId)).toEqual([])
    expect(await payLinksOf(organizationId)).toEqual(['paid with', 'paid with'])
  })
})

describe('POST /api/billing/cancel beside a payment', () => {
  /** An organization whose purchase waits for 3-D Secure, and how its buyer completes it unheard. */
  async function unauthenticated() {
    const { stack } = bed
    await stack.emulator.webhooks('hold')
    const { organizationId, intentId, subscription } = await buyUnauthenticated(stack)
    return { organizationId, id: subscription.id, pay: () => stack.emulator.authenticate(intentId, 'succeed') }
  }

  async function refundsOf(organizationId: string) {
    const { data } = await bed.stack.stripe.refunds.list({ limit: 100, expand: ['data.payment_intent'] })
    const customer = await customerOf(bed.stack, organizationId)
    return data.filter(({ payment_intent: paid }) => typeof paid === 'object' && paid?.customer === customer).length
  }

  it('refunds once what was paid before it ends the subscription at once, and says so however often it is asked', async () => {
    const { stack } = bed
    const { organizationId, id, pay } = await unauthenticated()
    await pay()
    const answer = await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled', refunded: true } })
    await stack.emulator.webhooks('deliver')
    await stack.emulator.flush()
    expect(await stack.cancel(organizationId, { product: 'ota', at_period_end: false })).toEqual(answer)
    expect([await stack.charges(organizationId), await refundsOf(organizationId)]).toEqual([1, 1])
    expect((await stack.stripe.subscriptions.retrieve(id)).status).toBe('canceled')
    const actions = (await stack.auditEntries(organizationId)).map(({ action }) => action)
    expect(actions).toContain('subscription.refunded')
    expect(reportsOf(await runReconcile(), organizationId)).toEqual([])
  })

  it('refunds a renewal that was paid unheard, and keeps the period before', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    await stack.emulator.webhooks('hold')
    const { items } = await subscriptionOf(stack, organizationId)
    await stack.emulator.advance((items.data[0]?.current_period_end ?? 0) - (await stack.emulator.now()) + 2 * 3600)
    const answer = await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled', refunded: true } })
    expect([await stack.charges(organizationId), await refundsOf(organizationId)]).toEqual([2, 1])
  })

  it('keeps a payment that the record shows', async () => {
    const { stack } = bed
    const { organizationId } = await subscribedOrganization(stack)
    const answer = await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
    expect(answer.body).toEqual({ status: 'canceled', effective_at: expect.any(String) })
    expect(await refundsOf(organizationId)).toBe(0)
  })

  it('completes by its event what was interrupted before the refund', async () => {
    const { stack } = bed
    const { organizationId, pay } = await unauthenticated()
    await pay()
    await stack.emulator.fault({ method: 'POST', path: '/v1/refunds', kind: 'status', status: 503, times: 9 })
    const body = { product: 'ota', at_period_end: false }
    expect((await stack.cancel(organizationId, body)).status).toBe(503)
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'incomplete' })
    await stack.emulator.clearFaults()
    await stack.emulator.webhooks('deliver')
    await stack.emulator.flush()
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled', subscription: { refunded: true } })
    expect(await refundsOf(organizationId)).toBe(1)
    expect(await stack.cancel(organizationId, body)).toMatchObject({ status: 200, body: { refunded: true } })
  })

  it('at the end of the period never ends what is paid between its look and its cancellation', async () => {
    const { stack } = bed
    const { organizationId, id, pay } = await unauthenticated()
    // The answer to the look is on its way while the buyer authenticates.
    await stack.emulator.fault({ method: 'GET', path: `/v1/subscriptions/${id}`, kind: 'delay', delay_ms: 1500 })
    const answer = stack.cancel(organizationId, { product: 'ota', at_period_end: true })
    await stack.until(async () => (await stack.emulator.requests()).some(({ path }) => path.endsWith(id)))
    await pay()
    expect(await answer).toMatchObject({ status: 200, body: { status: 'cancellation_scheduled' } })
    expect(await stack.stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
    })
    expect([await stack.charges(organizationId), await refundsOf(organizationId)]).toEqual([1, 0])
  })
})
