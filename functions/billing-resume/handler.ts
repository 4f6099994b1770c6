import { toSubscriptionResource } from '../../lib/billing/slot/subscriptionResource.ts'
import { resume } from '../../lib/billing/subscriptions/resume.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { projectionDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await projectionDepsFromEnvironment()

/** POST /api/billing/subscriptions/{product}/resume: takes back a scheduled cancellation. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, query }) => {
  const slot = await resume(deps, {
    organizationId: query.organization_id,
    caller,
    product: path.product,
  })
  return { status: 200, body: toSubscriptionResource(slot) }
})
