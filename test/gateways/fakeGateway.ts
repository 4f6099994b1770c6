import type { GatewayAnswer } from '../../lib/billing/gatewayAnswer.ts'
import type {
  Cards,
  Catalog,
  CustomerDetails,
  Customers,
  DetailsField,
  Invoices,
  PaymentGateway,
  Price,
} from '../../lib/billing/gatewayPorts.ts'
import { createFakeBooks, createFakeKeys, done, type FakeBooks, type FakeOptions, refusal } from './fakeBooks.ts'
import { createFakeEvents } from './fakeEvents.ts'
import { createFakePurchases } from './fakePurchases.ts'

/**
 * A gateway in memory, made in another way than Stripe: held to Stripe's adapter by the contracts of the ports. Without cards it
 * grants at once and is paid by a bill.
 */
export function createFakeGateway(options: FakeOptions) {
  const books = createFakeBooks(options)
  const gateway: PaymentGateway = {
    needs: [],
    catalog: createFakeCatalog(books),
    customers: createFakeCustomers(books),
    purchases: createFakePurchases(books),
    invoices: createFakeInvoices(books),
    cards: options.takesCards ? createFakeCards(books) : undefined,
  }
  return { books, gateway, ...createFakeEvents(books) }
}

function createFakeCatalog(books: FakeBooks): Catalog {
  const priceOf = ([planCode, id]: [string, string]): [string, Price] => [planCode, { id, gatewayProductId: planCode }]
  return {
    prices: () => books.call(() => done(new Map([...books.prices].map(priceOf)))),
    findCoupon: (code) =>
      books.call(() => {
        const all = [...books.coupons.values()]
        const found =
          all.find(({ promotionCodeId }) => promotionCodeId === code.toUpperCase()) ?? all.find(({ id }) => id === code)
        if (!found) return refusal('coupon_invalid')
        const { off: _off, ...coupon } = found
        return done(coupon)
      }),
  }
}

type ChangedDetails = { details: CustomerDetails } | { refusedAt: DetailsField }

function createFakeCustomers(books: FakeBooks): Customers {
  const keyed = createFakeKeys<string>(books)
  return {
    createCustomer: (organizationId, request, key) =>
      books.change(() =>
        keyed(key, JSON.stringify([organizationId, request]), () => {
          const id = books.newId('customer')
          const nothing = { email: null, address: null, taxId: null, currency: null }
          books.customers.set(id, {
            details: { ...nothing, ...request },
            deleted: false,
            cards: new Map(),
            defaultCard: null,
          })
          return done(id)
        }),
      ),
    fetchCustomer: (id) =>
      books.call(() => {
        const customer = books.customers.get(id)
        return customer ? done({ deleted: customer.deleted }) : refusal('not_found')
      }),
    fetchDetails: (id) =>
      books.call(() => {
        const customer = books.customers.get(id)
        return customer && !customer.deleted ? done(customer.details) : refusal('customer_missing')
      }),
    changeDetails: (id, change) =>
      books.change((): GatewayAnswer<ChangedDetails> => {
        const customer = books.customers.get(id)
        if (!customer || customer.deleted) return refusal('customer_missing')
        // The one rule of this gateway for tax ids: they have two characters at least.
        if (change.taxId && change.taxId.value.length < 2) return done<ChangedDetails>({ refusedAt: 'tax_id.value' })
        customer.details = { ...customer.details, ...change }
        return done<ChangedDetails>({ details: customer.details })
      }),
  }
}

function createFakeCards(books: FakeBooks): Cards {
  return {
    createSetupIntent: (customerId) =>
      books.change(() => {
        const customer = books.customers.get(customerId)
        return customer && !customer.deleted ? done(books.newId('secret')) : refusal('customer_missing')
      }),
    setFirstDefaultCard: (customerId, card) =>
      books.change(() => {
        const customer = books.customers.get(customerId)
        if (!customer) return refusal('not_found')
        if (!customer.deleted) customer.defaultCard ??= card
        return done(null)
      }),
  }
}

function createFakeInvoices(books: FakeBooks): Invoices {
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
        const customer = books.customers.get(sale.customerId)
        return books.charge(sale, card ?? customer?.defaultCard ?? null) === 'pays'
          ? done(null)
          : refusal('card_declined')
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
