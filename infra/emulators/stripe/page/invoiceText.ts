import type Stripe from 'stripe'
import type { Wire } from '../wire/wire.ts'

/** The text of an invoice, a line each, as its page and its PDF show it. */
export function invoiceText(invoice: Wire<Stripe.Invoice>): string[] {
  const money = (amount: number) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency: invoice.currency }).format(amount / 100)
  const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
  const address = invoice.customer_address
  const taxIds = invoice.customer_tax_ids ?? []
  return [
    `Invoice ${invoice.number ?? ''}`,
    `Date ${day(invoice.status_transitions.finalized_at ?? invoice.created)}`,
    ...(invoice.due_date === null ? [] : [`Due ${day(invoice.due_date)}`]),
    `Status ${invoice.status ?? ''}`,
    ...[invoice.customer_name, invoice.customer_email, address?.line1, address?.line2].filter((text) => text != null),
    [address?.postal_code, address?.city, address?.country].filter((text) => text != null).join(' '),
    ...taxIds.map(({ type, value }) => `${type} ${value}`),
    ...invoice.lines.data.map((line) => `${line.description ?? ''}: ${money(line.amount)}`),
    `Subtotal ${money(invoice.subtotal)}`,
    ...(invoice.total_discount_amounts ?? []).map(({ amount }) => `Discount -${money(amount)}`),
    ...(invoice.total_taxes ?? []).map((tax) => `Tax (${tax.tax_behavior}) ${money(tax.amount)}`),
    `Total ${money(invoice.total)}`,
    `Amount paid ${money(invoice.amount_paid)}`,
    `Amount due ${money(invoice.amount_remaining)}`,
  ].filter((text) => text !== '')
}
