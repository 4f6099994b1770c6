import { type ListedInvoice, listInvoices } from '../../lib/billing/subscriptions/listInvoices.ts'
import { secondsToRfc3339, toRfc3339 } from '../../lib/core/clock.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { fromCursor, toCursor } from '../../lib/http/request/paging.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract, type InvoiceResource } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** GET /api/billing/invoices: lists an organization's invoices, newest first. */
export const handler = protectedEndpoint(contract, httpDeps({ isCountedFirst: true }), async ({ caller, query }) => {
  const { organization_id: organizationId, cursor, ...wanted } = query
  const after = fromCursor(organizationId, cursor)
  const page = await listInvoices(deps, { organizationId, caller, after, ...wanted })
  const next = toCursor(organizationId, page.next)
  return { status: 200, body: { invoices: page.rows.map(toResource), next_cursor: next } }
})

function toResource(invoice: ListedInvoice): InvoiceResource {
  const { id, number, status, product, currency } = invoice
  return {
    ...{ id, number, status, product, amount_due: invoice.amountDue, amount_paid: invoice.amountPaid, currency },
    created_at: toRfc3339(invoice.createdAt * 1000),
    due_at: secondsToRfc3339(invoice.dueAt),
    paid_at: secondsToRfc3339(invoice.paidAt),
    hosted_invoice_url: invoice.hostedInvoiceUrl,
    invoice_pdf: invoice.invoicePdf,
  }
}
