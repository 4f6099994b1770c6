import { createVirtualClock } from '../../proof/world/worldTime.ts'
import { noon } from '../fixtures.ts'
import { billsOf } from './fakeBooks.ts'
import { createFakeGateway } from './fakeGateway.ts'
import type { GatewayUnderTest } from './gatewayUnderTest.ts'

/** The fake gateway, with what only a test may do. */
export function openFake(
  { takesCards }: { takesCards: boolean },
  clock = createVirtualClock(noon * 1000),
): GatewayUnderTest {
  const { books, gateway, ...events } = createFakeGateway({ clock, takesCards, name: takesCards ? 'card' : 'invoice' })
  const saleOf = (id: string) => {
    const sale = books.sales.get(id)
    if (!sale) throw new Error(`${id} was not sold`)
    return sale
  }
  return {
    gateway,
    clock,
    pass(milliseconds) {
      clock.advance(milliseconds)
      books.happen()
    },
    addCard: takesCards
      ? async (customerId, bank) => {
          const card = books.newId('plastic')
          books.customers.get(customerId)?.cards.set(card, bank)
          return card
        }
      : undefined,
    defaultCardOf: (customerId) => books.customers.get(customerId)?.defaultCard ?? null,
    payDue: (id) => {
      const sale = saleOf(id)
      if (sale.bill.paidAt === null) books.paid(sale, sale.bill)
    },
    payOutside: (id) => {
      const sale = saleOf(id)
      sale.bill.isOutside = true
      books.paid(sale, sale.bill)
    },
    renewAsDraft(id) {
      clock.advance(saleOf(id).periodEnd * 1000 - clock.now())
      books.renew(saleOf(id))
    },
    refunded: () => [...books.sales.values()].flatMap(billsOf).reduce((total, { back }) => total + back, 0),
    changePrice: (planCode, currency = 'usd') =>
      void books.prices.set(planCode, { id: books.newId(planCode), currency }),
    withdrawCoupon: (id) => void books.coupons.delete(id),
    deleteCustomer(customerId) {
      const customer = books.customers.get(customerId)
      if (customer) customer.deleted = true
      for (const sale of books.sales.values()) if (sale.customerId === customerId) books.end(sale)
      books.notices.push({
        about: 'customer gone',
        at: books.seconds(),
        sale: null,
        customer: customerId,
        reference: null,
      })
    },
    editReference: (id, n) => void Object.assign(saleOf(id).purchase, { n }),
    faultNext: books.faultNext,
    verifier: events.verifier,
    latestEvent() {
      const notice = books.notices.at(-1)
      if (!notice) throw new Error('Nothing happened yet')
      return events.payloadOf(notice)
    },
    sign: events.sign,
    close: () => {},
  }
}
