import * as z from 'zod'
import type { World } from '../world/world.ts'

/** Everything at the gateway, as the emulator holds it. */
export type Books = ReturnType<World['stripe']['core']['control']['state']>
export type BookedSubscription = Books['subscriptions'][number]
type Event = Books['events'][number]

export const hasEnded = ({ status }: Pick<BookedSubscription, 'status'>) =>
  status === 'canceled' || status === 'incomplete_expired'

export function subscriptionOf({ parent }: Books['invoices'][number]): string {
  return String(parent?.subscription_details?.subscription)
}

/** The payments of an invoice, oldest first. */
export function intentsOf({ invoice_payments: payments }: Books, invoice: string | undefined): string[] {
  return payments.flatMap((row) => (row.invoice === invoice ? (row.payment.payment_intent ?? []) : []))
}

/** The charges that paid for a subscription. */
export function chargesOf(books: Books, id: string): Books['charges'] {
  const invoices = books.invoices.filter((invoice) => subscriptionOf(invoice) === id)
  const intents = invoices.flatMap((invoice) => intentsOf(books, invoice.id))
  return books.charges.filter(
    ({ status, payment_intent: intent }) => status === 'succeeded' && intents.includes(String(intent)),
  )
}

/** Seconds for which an invoice may be overdue before nothing more is sold. */
const LATE = 7 * 86_400

/** Whether an invoice that was sent to the customer is overdue for too long; `now` in Unix milliseconds. */
export function isBehind({ invoices }: Books, customerId: string | undefined, now: number): boolean {
  return invoices.some(
    ({ customer, status, collection_method, due_date }) =>
      customer === customerId &&
      status === 'open' &&
      collection_method === 'send_invoice' &&
      due_date !== null &&
      (due_date + LATE) * 1000 < now,
  )
}

const named = z.object({ id: z.string() })

/** The objects that events of this type are about, each with the idempotency key of the request that caused it. */
export function causes({ events }: Books, type: Event['type']): { id: string; key: string }[] {
  return events
    .filter((event) => event.type === type)
    .map((event) => ({ id: named.parse(event.data.object).id, key: event.request?.idempotency_key ?? '' }))
}
