import { describe, expect, it } from '@jest/globals'
import { DAY } from '../../../lib/billing/timing.ts'
import { userId } from '../fixtures.ts'
import { answered, DAYS_UNTIL_DUE, type GatewayUnderTest, SENT, useGateway } from './gatewayUnderTest.ts'

/** What every gateway must do that sends invoices instead of charging a card. */
export function describeSentInvoices(open: () => GatewayUnderTest): void {
  const bed = useGateway(open)
  const invoices = () => bed.it.gateway.invoices
  const fetch = async (id: string) => answered(await bed.it.gateway.purchases.fetchSubscription(id))
  const paidOf = async (id: string) => answered(await invoices().listPaidInvoices(id))
  async function listedOf(customerId: string) {
    const limits = { answerBy: bed.it.clock.now() + 8000 }
    return answered(await invoices().listInvoices(customerId, { limit: 10, after: undefined }, limits)).rows
  }
  function sent() {
    const { sentInvoices } = bed.it.gateway
    if (!sentInvoices) throw new Error('The gateway sends no invoices')
    return sentInvoices
  }
  async function buySent(purchase: { n?: number } = {}, customerId?: string) {
    const sold = await bed.buy(customerId ?? (await bed.customer()), { purchase })
    bed.it.pass(SENT)
    return sold
  }

  describe('Sent invoices', () => {
    it('grant at once, unpaid, and say where they are paid and by when', async () => {
      const soldAt = bed.it.clock.now() / 1000
      const sold = await buySent()
      expect(sold).toMatchObject({ status: 'active', wasPaid: false })
      const [row] = await listedOf(sold.customerId)
      expect(row).toMatchObject({ status: 'open', amountPaid: 0, hostedInvoiceUrl: expect.stringMatching(/^http/) })
      expect(row?.dueAt).toBe(soldAt + DAYS_UNTIL_DUE * 86_400)
      const payment = { kind: 'invoice_open', hostedInvoiceUrl: row?.hostedInvoiceUrl }
      expect(await fetch(sold.id)).toMatchObject({ status: 'active', wasPaid: false, payment })
    })

    it.each(['payDue', 'payOutside'] as const)('are settled by a payment: %s', async (pay) => {
      const { id, customerId } = await buySent()
      bed.it[pay](id)
      expect(await fetch(id)).toMatchObject({ status: 'active', wasPaid: true, payment: { kind: 'none' } })
      expect(await listedOf(customerId)).toMatchObject([{ status: 'paid' }])
      expect(await paidOf(id)).toMatchObject([{ refunded: false, paidLater: true }])
    })

    it('name the oldest where several are open', async () => {
      const { id, customerId } = await buySent()
      bed.it.renewAsDraft(id)
      const { invoiceId: draft } = await fetch(id)
      await invoices().finalizeInvoice(draft ?? 'none')
      const [newest, oldest, ...others] = await listedOf(customerId)
      expect([newest, oldest, others]).toMatchObject([{ status: 'open' }, { status: 'open' }, []])
      expect(await fetch(id)).toMatchObject({ payment: { hostedInvoiceUrl: oldest?.hostedInvoiceUrl } })
    })

    it('are owed after a cancellation that somebody asked for, and may be paid then', async () => {
      const { id, customerId } = await buySent()
      const ended = answered(await bed.it.gateway.purchases.cancelNow(id, { kind: 'asked', by: userId }))
      const [row] = await listedOf(customerId)
      expect(row).toMatchObject({ status: 'open' })
      const payment = { kind: 'invoice_open', hostedInvoiceUrl: row?.hostedInvoiceUrl }
      expect(ended).toMatchObject({ status: 'canceled', payment })
      bed.it.pass(DAY)
      bed.it.payDue(id)
      expect(await fetch(id)).toMatchObject({ payment: { kind: 'none' } })
      expect(await paidOf(id)).toMatchObject([{ refunded: false, refundable: true, paidLater: true }])
    })

    it('of surplus are voided, once, and cannot be paid any more', async () => {
      const { id, customerId } = await buySent()
      const ended = answered(await bed.it.gateway.purchases.cancelNow(id, { kind: 'refund_due' }))
      expect(ended).toMatchObject({ status: 'canceled', refundDue: true, payment: { kind: 'invoice_open' } })
      bed.it.faultNext('not executed')
      expect(await invoices().refundSubscription(id)).toMatchObject({ kind: 'unknown' })
      expect(await fetch(id)).toMatchObject({ payment: { kind: 'invoice_open' } })
      for (const _time of [1, 2]) expect(await invoices().refundSubscription(id)).toMatchObject({ kind: 'ok' })
      expect(await fetch(id)).toMatchObject({ payment: { kind: 'none' } })
      expect(await listedOf(customerId)).toMatchObject([{ status: 'void' }])
      expect(answered(await invoices().findUnpaidInvoice(id))).toBeNull()
    })

    it('are owed once they are sent, newest first, until they are paid or written off', async () => {
      const owed = async (customerId: string) => answered(await sent().listOwed(customerId))
      const customerId = await bed.customer()
      const soldAt = bed.it.clock.now() / 1000
      const { id } = await bed.buy(customerId)
      expect(await owed(customerId)).toEqual([])
      bed.it.pass(SENT)
      const dueAt = soldAt + DAYS_UNTIL_DUE * 86_400
      expect(await owed(customerId)).toMatchObject([{ amount: 4900, currency: 'usd', dueAt }])
      const second = await buySent({ n: 2 }, customerId)
      const [newer, older] = await owed(customerId)
      expect([newer?.id, older?.id]).toEqual([second.invoiceId, (await fetch(id)).invoiceId])
      expect(answered(await sent().writeOff(newer?.id ?? ''))).toBeNull()
      expect(await owed(customerId)).toEqual([older])
      expect(await listedOf(customerId)).toMatchObject([{ status: 'uncollectible' }, { status: 'open' }])
      expect(await fetch(second.id)).toMatchObject({ payment: { kind: 'none' } })
      expect(await sent().writeOff(newer?.id ?? '')).toMatchObject({ kind: 'refused' })
      bed.it.payDue(id)
      expect(await owed(customerId)).toEqual([])
      expect(await sent().writeOff('in_unknown')).toMatchObject({ kind: 'refused', reason: 'not_found' })
    })

    it('that were paid outside the gateway are not given back by it, which says so', async () => {
      const { id } = await buySent()
      bed.it.payOutside(id)
      expect(await paidOf(id)).toMatchObject([{ refunded: false, refundable: false }])
      await bed.it.gateway.purchases.cancelNow(id, { kind: 'refund_due' })
      expect(await invoices().refundSubscription(id)).toMatchObject({ kind: 'refused' })
      expect(await paidOf(id)).toMatchObject([{ refunded: false }])
      expect(bed.it.refunded()).toBe(0)
    })
  })
}
