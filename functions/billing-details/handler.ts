import { readDetails } from '../../lib/billing/customer/details.ts'
import { toDetailsResource } from '../../lib/billing/customer/detailsResource.ts'
import { readAnswer } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** GET /api/billing/details: retrieves what the gateway prints on an organization's invoices. */
export const handler = protectedEndpoint(
  contract,
  httpDeps({ isCountedFirst: true }),
  async ({ caller, query, headers }) => {
    const details = await readDetails(deps, { organizationId: query.organization_id, caller })
    return readAnswer(toDetailsResource(details), headers)
  },
)
