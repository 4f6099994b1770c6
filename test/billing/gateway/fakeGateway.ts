import type { GatewayAnswer } from '../../../lib/billing/gateway/gatewayAnswer.ts'
import type {
  Catalog,
  ChangedDetails,
  Customers,
  PaymentGateway,
  Price,
} from '../../../lib/billing/gateway/gatewayPorts.ts'
import {
  createFakeBooks,
  createFakeKeys,
  done,
  type FakeBooks,
  type FakeOptions,
  type FakePrice,
  refusal,
} from './fakeBooks.ts'
import { createFakeCards } from './fakeCards.ts'
import { createFakeEvents } from './fakeEvents.ts'
import { createFakeInvoices, createFakeSentInvoices } from './fakeInvoices.ts'
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
    sentInvoices: options.takesCards ? undefined : createFakeSentInvoices(books),
  }
  return { books, gateway, ...createFakeEvents(books) }
}

function createFakeCatalog(books: FakeBooks): Catalog {
  const priceOf = ([planCode, price]: [string, FakePrice]): [string, Price] => [
    planCode,
    { ...price, gatewayProductId: planCode },
  ]
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
            remembered: {},
            paidCards: new Set(),
          })
          return done(id)
        }),
      ),
    fetchCustomer: (id) =>
      books.call(() => {
        const customer = books.customers.get(id)
        return customer ? done({ deleted: customer.deleted }) : refusal('not_found')
      }),
    deleteCustomer: (id) =>
      books.change((): GatewayAnswer<null> => {
        const customer = books.customers.get(id)
        if (!customer || customer.deleted) return refusal('customer_missing')
        customer.deleted = true
        return done(null)
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
        if (change.taxId && change.taxId.value.length < 2)
          return done<ChangedDetails>({ kind: 'refused_at', field: 'tax_id.value' })
        customer.details = { ...customer.details, ...change }
        return done<ChangedDetails>({ kind: 'changed', details: customer.details })
      }),
  }
}
