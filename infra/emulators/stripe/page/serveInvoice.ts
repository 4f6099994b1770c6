import type Stripe from 'stripe'
import type { HostedInvoice } from '../invoices/hostedInvoice.ts'
import type { Wire } from '../wire/wire.ts'
import { invoicePdf } from './invoicePdf.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** The page or the PDF of an invoice; 404 if the link names none. Caches keep nothing, and no other site learns the link. */
export function serveInvoice(found: HostedInvoice | undefined): {
  status: number
  headers: Record<string, string>
  body: string | Buffer
} {
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  const html = {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
  }
  if (found === undefined) return { status: 404, headers: html, body: '<!doctype html><title>Not found</title>' }
  const { invoice } = found
  if (found.kind === 'pdf') {
    const disposition = `attachment; filename="Invoice-${invoice.number}.pdf"`
    const pdf = { ...headers, 'content-type': 'application/pdf', 'content-disposition': disposition }
    return { status: 200, headers: pdf, body: invoicePdf(invoiceText(invoice)) }
  }
  const [title = '', ...rest] = invoiceText(invoice).map(escaped)
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>`
  return { status: 200, headers: html, body: `${body}${rest.map((text) => `<p>${text}</p>`).join('')}</html>` }
}

/** The text of an invoice, a line each, as its page and its PDF show it. */
function invoiceText(invoice: Wire<Stripe.Invoice>): string[] {
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
