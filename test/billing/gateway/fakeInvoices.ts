import type { Invoices, SentInvoices } from '../../../lib/billing/gateway/gatewayPorts.ts'
import { billsOf, done, type FakeBill, type FakeBooks, isOpen, refusal } from './fakeBooks.ts'

/** `Invoices` of the fake gateway. */
export function createFakeInvoices(books: FakeBooks): Invoices {
  const all = () => [...books.sales.values()].flatMap((sale) => billsOf(sale).map((bill) => ({ sale, bill })))
  const find = (id: string) => all().find(({ bill }) => bill.id === id)

  function billsOfSale(id: string): FakeBill[] {
    const sale = books.sales.get(id)
    return sale ? billsOf(sale) : []
  }

  return {
    listInvoices: (customerId, { limit, after, status, from = 0, to = Number.POSITIVE_INFINITY }) =>
      books.call(() => {
        const newestFirst = all()
          .filter(({ sale, bill }) => sale.customerId === customerId && !bill.isDraft)
          .reverse()
          .toSorted((one, other) => other.bill.createdAt - one.bill.createdAt)
          .map(({ sale, bill }) => books.row(sale, bill))
        const listed = newestFirst.slice(newestFirst.findIndex(({ id }) => id === after) + 1).filter((row) => {
          const at = row.createdAt * 1000
          return (status === undefined || row.status === status) && from <= at && at < to
        })
        const rows = listed.slice(0, limit)
        const last = rows.at(-1)
        return done({ rows, ...(last && limit < listed.length && { next: last.id }) })
      }),

    fetchInvoice: (invoiceId) =>
      books.call(() => {
        const found = find(invoiceId)
        if (!found || found.bill.isDraft) return done(null)
        return done({ invoice: books.row(found.sale, found.bill), customerId: found.sale.customerId })
      }),

    findUnpaidInvoice: (subscriptionId) =>
      books.call(() => {
        const unpaid = billsOfSale(subscriptionId).filter((bill) => bill.isDraft || isOpen(bill))
        const bill = unpaid.findLast(({ isDraft }) => !isDraft) ?? unpaid.at(-1)
        return done(bill ? { id: bill.id, isDraft: bill.isDraft, payment: { ...bill.payment } } : null)
      }),

    finalizeInvoice: (invoiceId) =>
      books.change(() => {
        const bill = find(invoiceId)?.bill
        if (!bill) return refusal('not_found')
        if (!bill.isDraft) return refusal('other')
        bill.isDraft = false
        return done(null)
      }),

    payInvoice: (invoiceId, card) =>
      books.change(() => {
        const found = find(invoiceId)
        if (!found) return refusal('not_found')
        if (!isOpen(found.bill)) return refusal('other')
        return books.charge(found.sale, found.bill, card) === 'pays' ? done(null) : refusal('card_declined')
      }),

    voidInvoice: (invoiceId) =>
      books.change(() => {
        const bill = find(invoiceId)?.bill
        if (!bill) return refusal('not_found')
        if (bill.paidAt !== null) return refusal('already_done')
        if (bill.isDraft) return refusal('other')
        bill.isVoid = true
        return done(null)
      }),

    listPaidInvoices: (subscriptionId) =>
      books.call(() =>
        done(
          billsOfSale(subscriptionId).flatMap(({ paidAt, back, due, isOutside }) =>
            paidAt === null
              ? []
              : [{ paidAt, refunded: back === due, refundable: !isOutside, paidLater: !books.takesCards }],
          ),
        ),
      ),

    refundSubscription: (subscriptionId, paidAfter = 0) =>
      books.change(() => {
        const isPaidLater = ({ paidAt }: FakeBill) => paidAt !== null && paidAt > paidAfter
        for (const bill of billsOfSale(subscriptionId)) {
          if (isOpen(bill)) bill.isVoid = true
          if (isPaidLater(bill) && !bill.isOutside) bill.back = bill.due
        }
        const paid = billsOfSale(subscriptionId).filter((bill) => isPaidLater(bill) && bill.due > 0)
        return paid.some(({ isOutside }) => isOutside) ? refusal('other') : done(paid.length)
      }),
  }
}

/** `SentInvoices` of the fake gateway. */
export function createFakeSentInvoices(books: FakeBooks): SentInvoices {
  const all = () => [...books.sales.values()].flatMap((sale) => billsOf(sale).map((bill) => ({ sale, bill })))
  return {
    listOwed: (customerId) =>
      books.call(() => {
        const owed = all().filter(({ sale, bill }) => sale.customerId === customerId && isOpen(bill))
        const rows = owed.map(({ bill: { id, due: amount, dueAt } }) => ({ id, amount, currency: 'usd', dueAt }))
        return done(rows.reverse())
      }),

    writeOff: (invoiceId) =>
      books.change(() => {
        const bill = all().find(({ bill: { id } }) => id === invoiceId)?.bill
        if (!bill) return refusal('not_found')
        if (!isOpen(bill)) return refusal('other')
        bill.isWrittenOff = true
        return done(null)
      }),
  }
}
