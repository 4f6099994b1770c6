import { describe, expect, it } from '@jest/globals'
import type { InvoiceFilter } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { GatewaySubscription } from '../../../lib/billing/gateway/subscription.ts'
import { DAY, MINUTE } from '../../../lib/billing/timing.ts'
import { userId } from '../fixtures.ts'
import { answered, type Bank, type GatewayUnderTest, SENT, useGateway } from './gatewayUnderTest.ts'

/** What every `Invoices` must do for the purchase protocol to hold. */
export function describeInvoices(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const invoices = () => bed.it.gateway.invoices
  const paidOf = async ({ id }: GatewaySubscription) => answered(await invoices().listPaidInvoices(id))
  const unpaidOf = async ({ id }: Pick<GatewaySubscription, 'id'>) => answered(await invoices().findUnpaidInvoice(id))
  async function listedOf({ customerId }: GatewaySubscription) {
    const limits = { answerBy: bed.it.clock.now() + 8000 }
    return answered(await invoices().listInvoices(customerId, { limit: 10, after: undefined }, limits)).rows
  }
  async function buyPaid(): Promise<GatewaySubscription> {
    const sold = await bed.buy(await bed.customer())
    bed.it.payDue(sold.id)
    return sold
  }

  describe('Invoices', () => {
    it('lists what was paid, and when', async () => {
      const paidAt = bed.it.clock.now() / 1000
      const sold = await buyPaid()
      bed.it.pass(MINUTE)
      expect(await paidOf(sold)).toMatchObject([{ paidAt, refunded: false, refundable: true }])
    })

    it('lists the customer’s own, the newest first, page by page', async () => {
      const customerId = await bed.customer()
      await bed.buy(await bed.customer())
      for (const n of [1, 2, 3]) {
        await bed.buy(customerId, { purchase: { n } })
        bed.it.pass(MINUTE)
      }
      bed.it.pass(SENT)
      const list = async (limit: number, after: string | undefined) => {
        const limits = { answerBy: bed.it.clock.now() + 8000 }
        const { rows, next } = answered(await invoices().listInvoices(customerId, { limit, after }, limits))
        return { bought: rows.map((row) => row.purchase?.n), next }
      }
      const first = await list(2, undefined)
      expect(first).toEqual({ bought: [3, 2], next: expect.stringMatching(/./) })
      expect(await list(2, first.next)).toEqual({ bought: [1] })
      expect((await list(3, undefined)).next).toBeUndefined()
    })

    it('lists the customer’s own of a status and of a time, also after an invoice that has changed', async () => {
      const customerId = await bed.customer()
      const times: number[] = []
      const sold: GatewaySubscription[] = []
      for (const n of [1, 2, 3]) {
        times.push(bed.it.clock.now())
        bed.it.pass(MINUTE)
        const one = await bed.buy(customerId, { purchase: { n } })
        bed.it.payDue(one.id)
        sold.push(one)
        bed.it.pass(MINUTE)
      }
      const list = async (filter: InvoiceFilter, after?: string) => {
        const page = { limit: 10, after, ...filter }
        const limits = { answerBy: bed.it.clock.now() + 8000 }
        return answered(await invoices().listInvoices(customerId, page, limits)).rows
      }
      const bought = async (filter: InvoiceFilter) => (await list(filter)).map((row) => row.purchase?.n)
      const [, second, third] = times
      expect(await bought({ from: second })).toEqual([3, 2])
      expect(await bought({ to: second })).toEqual([1])
      expect(await bought({ from: second, to: third, status: 'paid' })).toEqual([2])
      expect(await bought({ from: third, to: second })).toEqual([])
      expect(await bought({ from: -1e15, to: 1e15 })).toEqual([3, 2, 1])
      expect(await bought({ status: 'open' })).toEqual([])

      for (const { id } of sold.slice(1)) {
        bed.it.renewAsDraft(id)
        await invoices().finalizeInvoice((await unpaidOf({ id }))?.id ?? 'none')
      }
      const [newer, older, ...more] = await list({ status: 'open' })
      expect([newer?.status, older?.status, more]).toEqual(['open', 'open', []])
      await invoices().voidInvoice(newer?.id ?? 'none')
      expect(await list({ status: 'open' }, newer?.id)).toEqual([older])
      expect(await list({ status: 'void' })).toMatchObject([{ id: newer?.id }])
    })

    it('fetches each as it is listed, with its customer, and neither drafts nor what is unknown', async () => {
      const sold = await buyPaid()
      bed.it.renewAsDraft(sold.id)
      bed.it.pass(SENT)
      const fetch = async (id: string) =>
        answered(await invoices().fetchInvoice(id, { answerBy: bed.it.clock.now() + 8000 }))
      for (const invoice of await listedOf(sold))
        expect(await fetch(invoice.id)).toEqual({ invoice, customerId: sold.customerId })
      expect(await fetch((await unpaidOf(sold))?.id ?? 'none')).toBeNull()
      expect(await fetch('in_unknown')).toBeNull()
      bed.it.faultNext('not executed')
      expect(
        await invoices().fetchInvoice(sold.invoiceId ?? 'none', { answerBy: bed.it.clock.now() + 8000 }),
      ).toMatchObject({
        kind: 'unknown',
      })
    })

    it('keeps nothing of a payment of nothing', async () => {
      const sold = await bed.buy(await bed.customer(), { coupon: await bed.coupon('free') })
      bed.it.pass(SENT)
      expect(await paidOf(sold)).toMatchObject([{ refunded: true }])
      expect(await invoices().refundSubscription(sold.id)).toMatchObject({ kind: 'ok' })
      expect(bed.it.refunded()).toBe(0)
    })

    it('refunds all that was paid once, however often it is asked', async () => {
      const sold = await buyPaid()
      await bed.it.gateway.purchases.cancelNow(sold.id, { kind: 'refund_due' })
      bed.it.faultNext('not executed')
      expect(await invoices().refundSubscription(sold.id)).toMatchObject({ kind: 'unknown' })
      expect(bed.it.refunded()).toBe(0)
      expect(await invoices().refundSubscription(sold.id)).toMatchObject({ kind: 'ok' })
      const all = bed.it.refunded()
      expect(all).toBeGreaterThan(0)
      bed.it.pass(2 * 24 * 60 * MINUTE)
      expect(await invoices().refundSubscription(sold.id)).toMatchObject({ kind: 'ok' })
      expect(bed.it.refunded()).toBe(all)
      expect(await paidOf(sold)).toMatchObject([{ refunded: true }])
    })

    it('says of nothing that it was not paid where it could not be asked', async () => {
      const sold = await buyPaid()
      bed.it.renewAsDraft(sold.id)
      const draft = await unpaidOf(sold)
      const calls = [
        () => invoices().listPaidInvoices(sold.id),
        () => invoices().findUnpaidInvoice(sold.id),
        () => invoices().finalizeInvoice(draft?.id ?? 'none'),
      ]
      for (const call of calls) {
        bed.it.faultNext('not executed')
        expect(await call()).toMatchObject({ kind: 'unknown' })
      }
      expect(await unpaidOf(sold)).toEqual(draft)
    })

    it('has none that is to be paid of a subscription that was paid, or is not known', async () => {
      const other = await bed.buy(await bed.customer())
      bed.it.renewAsDraft(other.id)
      const sold = await buyPaid()
      expect(await unpaidOf(other)).not.toBeNull()
      expect(await unpaidOf(sold)).toBeNull()
      expect(await unpaidOf({ id: 'unknown' })).toBeNull()
    })

    it('opens a draft once, and charges nothing', async () => {
      const sold = await buyPaid()
      bed.it.renewAsDraft(sold.id)
      const draft = await unpaidOf(sold)
      const id = draft?.id ?? 'none'
      expect(draft).toEqual({ id: expect.stringMatching(/./), isDraft: true, payment: { kind: 'none' } })
      expect(id).not.toBe(sold.invoiceId)
      expect(await listedOf(sold)).toMatchObject([{ id: sold.invoiceId }])
      bed.it.faultNext('answer lost')
      expect(await invoices().finalizeInvoice(id)).toMatchObject({ kind: 'unknown' })
      expect(await unpaidOf(sold)).toMatchObject({ id, isDraft: false })
      expect(await listedOf(sold)).toMatchObject([{ id, status: 'open', amountPaid: 0 }, { status: 'paid' }])
      bed.it.pass(2 * DAY)
      expect(await unpaidOf(sold)).toMatchObject({ id, isDraft: false })
      expect(await paidOf(sold)).toHaveLength(1)
      expect(await invoices().finalizeInvoice(id)).toMatchObject({ kind: 'refused' })
      expect(await invoices().finalizeInvoice('in_unknown')).toMatchObject({ kind: 'refused' })
    })

    it('finds the newest draft, and an open one before any draft', async () => {
      const sold = await buyPaid()
      bed.it.renewAsDraft(sold.id)
      const older = await unpaidOf(sold)
      bed.it.renewAsDraft(sold.id)
      const newer = await unpaidOf(sold)
      expect(newer).toMatchObject({ isDraft: true })
      expect(newer?.id).not.toBe(older?.id)
      await invoices().finalizeInvoice(older?.id ?? 'none')
      expect(await unpaidOf(sold)).toMatchObject({ id: older?.id, isDraft: false })
      await invoices().finalizeInvoice(newer?.id ?? 'none')
      expect(await unpaidOf(sold)).toMatchObject({ id: newer?.id, isDraft: false })
    })
  })
}

/** What every `Invoices` that charges cards must do besides. */
export function describeCardInvoices(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const pay = (invoiceId: string | null, card?: string, key = bed.newKey()) =>
    bed.it.gateway.invoices.payInvoice(invoiceId ?? 'none', card, key)
  const fetch = async (id: string) => answered(await bed.it.gateway.purchases.fetchSubscription(id))
  const addCard = async (customerId: string, bank: Bank) => (await bed.it.addCard?.(customerId, bank)) ?? 'no card'

  describe('Invoices with cards', () => {
    it('are paid once with another card, which makes the purchase live', async () => {
      const customerId = await bed.customer('asks')
      const { id, invoiceId, wasPaid } = await bed.buy(customerId)
      expect(wasPaid).toBe(false)
      const [bad, good] = [await addCard(customerId, 'declines'), await addCard(customerId, 'pays')]
      expect(await pay(invoiceId, bad)).toMatchObject({ kind: 'refused', reason: 'card_declined' })
      expect(await fetch(id)).toMatchObject({ status: 'incomplete', wasPaid: false })
      expect(answered(await bed.it.gateway.invoices.listPaidInvoices(id))).toEqual([])
      expect(await pay(invoiceId, good)).toMatchObject({ kind: 'ok' })
      expect(await fetch(id)).toMatchObject({ status: 'active', wasPaid: true, payment: { kind: 'none' } })
      await pay(invoiceId, good)
      await bed.it.gateway.invoices.refundSubscription(id)
      expect(answered(await bed.it.gateway.invoices.listPaidInvoices(id))).toMatchObject([{ refunded: true }])
    })

    it('are paid though the answer was lost', async () => {
      const customerId = await bed.customer('asks')
      const { id, invoiceId } = await bed.buy(customerId)
      const card = await addCard(customerId, 'pays')
      bed.it.faultNext('answer lost')
      expect(await pay(invoiceId, card)).toMatchObject({ kind: 'unknown' })
      expect(await fetch(id)).toMatchObject({ status: 'active', wasPaid: true })
    })

    it('say what came of paying them so far, and nothing once they are paid', async () => {
      const customerId = await bed.customer('none')
      const [asks, declines, pays] = [
        await addCard(customerId, 'asks'),
        await addCard(customerId, 'declines'),
        await addCard(customerId, 'pays'),
      ]
      const { id, invoiceId } = await bed.buy(customerId, { paymentMethodId: asks })
      const unpaid = async () => answered(await bed.it.gateway.invoices.findUnpaidInvoice(id))
      const payment = { kind: 'requires_action', clientSecret: expect.stringMatching(/./), paymentMethodId: asks }
      expect(await unpaid()).toEqual({ id: invoiceId, isDraft: false, payment })
      await pay(invoiceId, declines)
      const declined = { kind: 'declined', declineCode: expect.stringMatching(/./) }
      expect(await unpaid()).toEqual({ id: invoiceId, isDraft: false, payment: declined })
      await pay(invoiceId, pays)
      expect(await unpaid()).toBeNull()
    })

    it('of a later period are paid once they are open', async () => {
      const { id } = await bed.buy(await bed.customer())
      bed.it.renewAsDraft(id)
      const draft = answered(await bed.it.gateway.invoices.findUnpaidInvoice(id))?.id ?? 'none'
      await bed.it.gateway.invoices.finalizeInvoice(draft)
      expect(await pay(draft)).toMatchObject({ kind: 'ok' })
      expect(answered(await bed.it.gateway.invoices.findUnpaidInvoice(id))).toBeNull()
      expect(answered(await bed.it.gateway.invoices.listPaidInvoices(id))).toHaveLength(2)
    })

    it('are voided once, unless they were paid, and nobody pays them any more', async () => {
      const customerId = await bed.customer('asks')
      const { id, invoiceId, customerId: customer } = await bed.buy(customerId)
      const invoice = invoiceId ?? 'none'
      const card = await addCard(customerId, 'pays')
      const { invoices } = bed.it.gateway
      bed.it.faultNext('not executed')
      expect(await invoices.voidInvoice(invoice)).toMatchObject({ kind: 'unknown' })
      expect(answered(await invoices.findUnpaidInvoice(id))).toMatchObject({ id: invoice })
      bed.it.faultNext('answer lost')
      expect(await invoices.voidInvoice(invoice)).toMatchObject({ kind: 'unknown' })
      expect(await invoices.voidInvoice(invoice)).toMatchObject({ kind: 'ok' })
      expect(answered(await invoices.findUnpaidInvoice(id))).toBeNull()
      expect(answered(await bed.it.gateway.purchases.fetchSubscription(id))).toMatchObject({
        status: 'incomplete',
        payment: { kind: 'voided' },
      })
      expect(await pay(invoice, card)).toMatchObject({ kind: 'refused' })
      const paid = await bed.buy(customer, { paymentMethodId: card, purchase: { n: 2 } })
      expect(await invoices.voidInvoice(paid.invoiceId ?? 'none')).toMatchObject({
        kind: 'refused',
        reason: 'already_done',
      })
      expect(await invoices.voidInvoice('in_unknown')).toMatchObject({ kind: 'refused' })
    })

    it('that are open when their subscription ends show it, and have no page to pay on', async () => {
      const { gateway, clock } = bed.it
      const { id, customerId } = await bed.buy(await bed.customer())
      bed.it.renewAsDraft(id)
      const draft = answered(await gateway.invoices.findUnpaidInvoice(id))?.id ?? 'none'
      await gateway.invoices.finalizeInvoice(draft)
      const limits = { answerBy: clock.now() + 8000 }
      const list = async () =>
        answered(await gateway.invoices.listInvoices(customerId, { limit: 10, after: undefined }, limits)).rows
      const page = expect.stringMatching(/^http/)
      expect(await list()).toMatchObject([{ status: 'open', hostedInvoiceUrl: page }, { hostedInvoiceUrl: page }])
      const ended = answered(await gateway.purchases.cancelNow(id, { kind: 'asked', by: userId }))
      const payment = { kind: 'invoice_open', buysNothing: true }
      expect(ended).toMatchObject({ status: 'canceled', invoicePaidAt: null, payment })
      expect(await list()).toMatchObject([{ status: 'open', hostedInvoiceUrl: null }, { hostedInvoiceUrl: page }])
      expect(await gateway.invoices.voidInvoice(draft)).toMatchObject({ kind: 'ok' })
      expect(await fetch(id)).toMatchObject({ invoicePaidAt: null, payment: { kind: 'none' } })
    })

    it('go back only if they were paid after a time, and are counted however often it is asked', async () => {
      const { gateway, clock } = bed.it
      const { id } = await bed.buy(await bed.customer())
      const after = clock.now() / 1000
      bed.it.pass(MINUTE)
      bed.it.renewAsDraft(id)
      const draft = answered(await gateway.invoices.findUnpaidInvoice(id))?.id ?? 'none'
      await gateway.invoices.finalizeInvoice(draft)
      await pay(draft)
      const ended = answered(await gateway.purchases.cancelNow(id, { kind: 'asked', by: userId, refundAfter: after }))
      expect(ended.requested).toEqual({ change: 'cancel', by: userId, refundAfter: after })
      expect(ended.invoicePaidAt).toBeGreaterThan(after)
      for (const _time of [1, 2])
        expect(await gateway.invoices.refundSubscription(id, after)).toMatchObject({ kind: 'ok', value: 1 })
      const paid = answered(await gateway.invoices.listPaidInvoices(id))
      expect(paid.map(({ refunded }) => refunded).toSorted()).toEqual([false, true])
      expect(await gateway.invoices.refundSubscription(id, clock.now() / 1000)).toMatchObject({ kind: 'ok', value: 0 })
    })

    it('of surplus are voided before what was paid goes back', async () => {
      const { gateway } = bed.it
      const { id } = await bed.buy(await bed.customer())
      bed.it.renewAsDraft(id)
      const draft = answered(await gateway.invoices.findUnpaidInvoice(id))?.id ?? 'none'
      await gateway.invoices.finalizeInvoice(draft)
      await gateway.purchases.cancelNow(id, { kind: 'refund_due' })
      for (const _time of [1, 2]) expect(await gateway.invoices.refundSubscription(id)).toMatchObject({ kind: 'ok' })
      expect(answered(await gateway.invoices.findUnpaidInvoice(id))).toBeNull()
      expect(answered(await gateway.invoices.listPaidInvoices(id))).toMatchObject([{ refunded: true }])
    })

    it('are refused where there is none', async () => {
      expect(await pay('in_unknown')).toMatchObject({ kind: 'refused' })
    })
  })
}
