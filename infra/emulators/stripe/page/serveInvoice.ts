import type Stripe from 'stripe'
import type { HostedInvoice } from '../invoices/hostedInvoice.ts'
import type { Wire } from '../wire/wire.ts'

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

/** What the font of the PDF can show; other characters become a question mark. */
function latin(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`)
}

/** Lines of text per page. */
const linesPerPage = 45

/** A PDF of plain lines of text (ISO 32000-1): a catalog, a font, and a page with its content for every 45 lines. */
function invoicePdf(lines: readonly string[]): Buffer {
  const pages = Array.from({ length: Math.max(1, Math.ceil(lines.length / linesPerPage)) }, (_none, index) =>
    lines.slice(index * linesPerPage, (index + 1) * linesPerPage),
  )
  const first = 4
  const kids = pages.map((_page, index) => `${first + 2 * index} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => {
      const text = page.map((line) => `(${latin(line)}) Tj T*`).join('\n')
      const content = `BT /F1 11 Tf 16 TL 56 780 Td\n${text}\nET`
      const resources = '/MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>'
      return [
        `<< /Type /Page /Parent 2 0 R ${resources} /Contents ${first + 1 + 2 * index} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, 'latin1')
}
