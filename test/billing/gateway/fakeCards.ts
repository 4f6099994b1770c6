import type { Card, Cards, DefaultCard } from '../../../lib/billing/gateway/gatewayPorts.ts'
import { done, type FakeBooks, type FakeCustomer, refusal } from './fakeBooks.ts'

/** `Cards` of the fake gateway. */
export function createFakeCards(books: FakeBooks): Cards {
  const find = (customerId: string) => {
    const customer = books.customers.get(customerId)
    return customer?.deleted ? undefined : customer
  }

  return {
    createSetupIntent: (customerId) =>
      books.change(() => (find(customerId) ? done(books.newId('secret')) : refusal('customer_missing'))),

    listCards: (customerId) =>
      books.call(() => {
        const customer = find(customerId)
        if (!customer) return refusal('customer_missing')
        return done([...customer.cards.keys()].reverse().map((id) => cardOf(customer, id)))
      }),

    fetchCard: (customerId, id) =>
      books.call(() => {
        const customer = find(customerId)
        if (!customer) return refusal('customer_missing')
        const card = customer.cards.has(id) ? cardOf(customer, id) : undefined
        const { id: defaultId, because } = defaultOf(customer)
        return done(card ? { card, defaultId, ...(because && { because }) } : null)
      }),

    fetchDefaultCard: (customerId) =>
      books.call(() => {
        const customer = books.customers.get(customerId)
        if (!customer) return refusal('not_found')
        return done(customer.deleted ? { id: null } : defaultOf(customer))
      }),

    setDefaultCard: (customerId, card, because) =>
      books.change(() => {
        const customer = find(customerId)
        if (!customer) return refusal('not_found')
        if (!customer.cards.has(card)) return refusal('payment_method_invalid')
        customer.defaultCard = card
        if (because?.kind === 'chosen') customer.chosen = { id: card, at: because.at }
        else if (because) customer.remembered[because.kind] = card
        return done(defaultOf(customer))
      }),

    listPaidCards: (customerId) =>
      books.call(() => {
        const customer = find(customerId)
        if (!customer) return refusal('customer_missing')
        return done([...customer.paidCards].filter((id) => customer.cards.has(id)))
      }),

    removeCard: (card) =>
      books.change(() => {
        const owner = [...books.customers.values()].find(({ cards }) => cards.has(card))
        if (!owner) return refusal('not_found')
        owner.cards.delete(card)
        if (owner.defaultCard === card) owner.defaultCard = null
        for (const sale of books.sales.values()) if (sale.card === card) sale.card = null
        return done(null)
      }),
  }
}

function defaultOf({ defaultCard: id, chosen, remembered }: FakeCustomer): DefaultCard {
  const isOurs = id !== null && id !== chosen?.id
  const because = (['paid', 'set_up'] as const).find((reason) => isOurs && remembered[reason] === id)
  return { id, ...(chosen && { chosen }), ...(because && { because }) }
}

function cardOf({ defaultCard }: FakeCustomer, id: string): Card {
  return { id, brand: 'fake', last4: id.slice(-4), expMonth: 12, expYear: 2030, isDefault: id === defaultCard }
}
