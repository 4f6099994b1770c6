import { toSubscriptionResource } from '../../lib/billing/slot/subscriptionResource.ts'
import { listSubscriptions } from '../../lib/billing/subscriptions/listSubscriptions.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingRecordsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = { records: billingRecordsFromEnvironment() }

/** GET /api/billing/subscriptions: lists what an organization has bought, from the service's own record. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, query }) => {
  const slots = await listSubscriptions(deps, { organizationId: query.organization_id, caller })
  const subscriptions = slots.flatMap((slot) => toSubscriptionResource(slot) ?? [])
  return { status: 200, body: { subscriptions, next_cursor: null } }
})
