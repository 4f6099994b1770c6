import { toInvoiceResource } from '../../lib/billing/customer/invoiceResource.ts'
import { listInvoices } from '../../lib/billing/subscriptions/listInvoices.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { fromCursor, toCursor } from '../../lib/http/request/paging.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** GET /api/billing/invoices: lists an organization's invoices, newest first. */
export const handler = protectedEndpoint(contract, httpDeps({ isCountedFirst: true }), async ({ caller, query }) => {
  const { organization_id: organizationId, cursor, ...wanted } = query
  const after = fromCursor(organizationId, cursor)
  const page = await listInvoices(deps, { organizationId, caller, after, ...wanted })
  const next = toCursor(organizationId, page.next)
  return { status: 200, body: { invoices: page.rows.map(toInvoiceResource), next_cursor: next } }
})
