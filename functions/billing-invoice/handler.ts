import { toInvoiceResource } from '../../lib/billing/customer/invoiceResource.ts'
import { getInvoice } from '../../lib/billing/subscriptions/getInvoice.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { projectionDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await projectionDepsFromEnvironment()

/** GET /api/billing/invoices/{invoice_id}: an invoice of an organization. */
export const handler = protectedEndpoint(contract, httpDeps({ isCountedFirst: true }), async (request) => {
  const { caller, path, query } = request
  const wanted = { organizationId: query.organization_id, caller, invoiceId: path.invoice_id }
  return { status: 200, body: toInvoiceResource(await getInvoice(deps, wanted)) }
})
