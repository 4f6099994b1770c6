import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import { invoiceResource } from '../../../lib/billing/customer/invoiceResource.ts'
import { announceInvoice } from '../../../lib/billing/events/announceInvoice.ts'
import type { EventOf } from '../../../lib/billing/events/projectSubscription.ts'
import type { InvoiceRow } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { EventDraft } from '../../../lib/events/event.ts'
import { fakeBilling } from '../fakeBilling.ts'
import { account, noon, ok, organizationId, paidInvoice, purchase, unknown } from '../fixtures.ts'
import { subscribedOrganization } from '../gatewayView.ts'
import { useCleanStack } from '../useCleanStack.ts'

const bed = useCleanStack()

async function announced(organization: string) {
  return (await bed.stack.outbox(organization)).filter(({ type }) => type.startsWith('invoice.'))
}

describe('Other systems hear of an invoice', () => {
  it('that it was paid, as its owners read it, but for its pages at the gateway', async () => {
    const { stack } = bed
    const { organizationId: own } = await subscribedOrganization(stack)
    await stack.emulator.flush()
    const { body } = await stack.get('invoices', own)
    const [listed] = z.object({ invoices: z.array(invoiceResource) }).parse(body).invoices
    expect(listed?.hosted_invoice_url).toContain('http')
    const [event, ...others] = await announced(own)
    expect(others).toEqual([])
    expect(event).toMatchObject({ type: 'invoice.paid', subject: `invoice:${listed?.id}` })
    expect(event?.data).toEqual({ ...listed, hosted_invoice_url: null, invoice_pdf: null })
    invoiceResource.parse(event?.data)
  })

  it('each failure of a renewal and its payment at last, though each webhook comes twice', async () => {
    const { stack } = bed
    const { organizationId: own, card, subscriptionId } = await subscribedOrganization(stack)
    const failing = await stack.addCard(own, 'pm_card_chargeCustomerFail')
    await stack.stripe.subscriptions.update(subscriptionId, { default_payment_method: failing })
    await stack.emulator.flush()
    const { items } = await stack.stripe.subscriptions.retrieve(subscriptionId)
    await stack.emulator.webhooks('hold')
    await stack.emulator.advance((items.data[0]?.current_period_end ?? 0) - (await stack.emulator.now()) + 2 * 3600)
    await stack.emulator.webhooks('deliver')
    await stack.emulator.flush('fifo', 2)
    await stack.post('/api/billing/subscriptions/ota/pay', own, { payment_method_id: card })
    await stack.emulator.flush('fifo', 2)
    const [, ...renewal] = await announced(own)
    expect(renewal.map(({ type, data }) => [type, data.status])).toEqual([
      ['invoice.payment_failed', 'open'],
      ['invoice.paid', 'paid'],
    ])
    expect(new Set(renewal.map(({ data }) => data.id)).size).toBe(1)
  })

  it('nothing if a purchase is declined', async () => {
    const { stack } = bed
    const { organizationId: own, card } = await stack.organizationWithCard('pm_card_chargeCustomerFail')
    expect((await stack.checkout(own, ['base_ota'], { card })).status).toBe(402)
    await stack.emulator.flush()
    expect(await announced(own)).toEqual([])
  })
})

const failed: EventOf<'subscription'> = {
  kind: 'subscription',
  type: 'invoice.payment_failed',
  created: noon,
  subscriptionId: 'sub_1',
  customerId: 'cus_1',
  purchase,
  invoice: { id: 'in_1', eventId: 'evt_1' },
}
const open = paidInvoice({ status: 'open', paidAt: null })
const bound = { ...account, customer: { cipher: 'c', digest: customerDigest('cus_1') } }

/** What is announced if the gateway has this invoice. */
async function saidOf(
  event: EventOf<'subscription'>,
  fetched: { invoice: InvoiceRow; customerId: string } | null = { invoice: open, customerId: 'cus_1' },
) {
  const events: EventDraft[] = []
  const deps = fakeBilling({
    records: { announce: async (said) => void events.push(said) },
    gateway: { fetchInvoice: async () => ok(fetched) },
  })
  await announceInvoice(deps, event, bound)
  return events
}

describe('announceInvoice', () => {
  it('announces two failures of the same invoice as two events, and the same failure as the same event', async () => {
    const ids = await Promise.all(
      ['evt_1', 'evt_1', 'evt_2'].map(async (eventId) => {
        const [said] = await saidOf({ ...failed, invoice: { id: 'in_1', eventId } })
        return said?.id
      }),
    )
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
  })

  it('announces a failed first payment only if the invoice was sent', async () => {
    expect(await saidOf({ ...failed, isFirstInvoice: true })).toEqual([])
    const sent = { invoice: { ...open, dueAt: noon }, customerId: 'cus_1' }
    expect(await saidOf({ ...failed, isFirstInvoice: true }, sent)).toMatchObject([
      { type: failed.type, organizationId },
    ])
  })

  it('announces no invoice that is unknown, or that another customer is billed', async () => {
    expect(await saidOf(failed, null)).toEqual([])
    expect(await saidOf(failed, { invoice: open, customerId: 'cus_2' })).toEqual([])
  })

  it('throws if the gateway does not answer, so the event comes again', async () => {
    const deps = fakeBilling({ gateway: { fetchInvoice: async () => unknown } })
    await expect(announceInvoice(deps, failed, bound)).rejects.toMatchObject({ code: 'gateway_unavailable' })
  })
})
