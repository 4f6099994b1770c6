import type { HostedInvoice } from '../billing/hostedInvoice.ts'
import { invoicePdf } from './invoicePdf.ts'
import { invoiceText } from './invoiceText.ts'

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
