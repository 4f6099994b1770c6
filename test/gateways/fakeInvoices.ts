import type { Invoices } from '../../lib/billing/gatewayPorts.ts'
import { done, type FakeBooks, refusal } from './fakeBooks.ts'

/** `Invoices` of the fake gateway. */
export function createFakeInvoices(books: FakeBooks): Invoices {
  return {
    listInvoices: (customerId, { limit, after }) =>
      books.call(() => {
        const all = [...books.sales.values()].filter((sale) => sale.customerId === customerId).reverse()
        const begin = all.findIndex(({ bill }) => bill.id === after) + 1
        const rows = all.slice(begin, begin + limit).map((sale) => books.bill(sale))
        const last = rows.at(-1)
        return done({ rows, ...(last && begin + limit < all.length && { next: last.id }) })
      }),
    payInvoice: (invoiceId, card) =>
      books.change(() => {
        const sale = [...books.sales.values()].find(({ bill }) => bill.id === invoiceId)
        if (!sale) return refusal('not_found')
        if (sale.bill.paidAt !== null) return refusal('other')
        return books.charge(sale, card) === 'pays' ? done(null) : refusal('card_declined')
      }),
    listPaidInvoices: (subscriptionId) =>
      books.call(() => {
        const bill = books.sales.get(subscriptionId)?.bill
        if (!bill || bill.paidAt === null) return done([])
        return done([{ paidAt: bill.paidAt, refunded: bill.back === bill.due }])
      }),
    refundSubscription: (subscriptionId) =>
      books.change(() => {
        const bill = books.sales.get(subscriptionId)?.bill
        if (bill && bill.paidAt !== null) bill.back = bill.due
        return done(null)
      }),
  }
}
