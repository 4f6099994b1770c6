import type { Cards } from '../../lib/billing/gatewayPorts.ts'
import { done, type FakeBooks, refusal } from './fakeBooks.ts'

/** `Cards` of the fake gateway. */
export function createFakeCards(books: FakeBooks): Cards {
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
