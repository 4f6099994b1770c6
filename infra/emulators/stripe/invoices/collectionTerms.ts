import type Stripe from 'stripe'
import type { Store } from '../state/store.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'

/** Whether a subscription charges a card or sends its invoices, and how many days its customer then has to pay them. */
type CollectionTerms = Pick<Wire<Stripe.Subscription>, 'collection_method' | 'days_until_due'>

interface Sent {
  collection_method?: 'charge_automatically' | 'send_invoice' | undefined
  days_until_due?: number | undefined
}

/**
 * The terms of a subscription after an update; `before` are its present terms. Throws a 400 if days are missing, or if they are sent and a
 * card is charged.
 */
export function collectionTerms(
  sent: Sent,
  before: CollectionTerms = { collection_method: 'charge_automatically', days_until_due: null },
): CollectionTerms {
  const collection_method = sent.collection_method ?? before.collection_method
  if (collection_method === 'charge_automatically') {
    if (sent.days_until_due === undefined) return { collection_method, days_until_due: null }
    const message = "You can only specify 'days_until_due' if invoice collection method is 'send_invoice'."
    throw invalidRequest(message)
  }
  const days_until_due = sent.days_until_due ?? before.days_until_due
  if (days_until_due !== null) return { collection_method, days_until_due }
  throw invalidRequest("If invoice collection method is 'send_invoice', you must specify 'days_until_due'.")
}

/** Whether the invoices of these terms are sent to their customer, who pays them, instead of being charged. */
export function isSent({ collection_method }: { collection_method: string | null }): boolean {
  return collection_method === 'send_invoice'
}

/** 400 for a customer without an email, who cannot be sent an invoice. */
export function requireEmail({ store }: { store: Pick<Store, 'get'> }, customer: string): void {
  if (store.get('customers', customer)?.email != null) return
  throw invalidRequest(
    'Missing email. In order to create invoices that are sent to the customer, the customer must have a valid email.',
  )
}

/** Due date of an invoice that is created now; null if a card is charged. */
export function dueDate(terms: CollectionTerms, now: number): number | null {
  return terms.days_until_due === null ? null : now + terms.days_until_due * 86_400
}
