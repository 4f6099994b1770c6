import { BillingError } from '../../lib/billing/errors.ts'
import { toSubscriptionResource } from '../../lib/billing/slot/subscriptionResource.ts'
import { findSubscription } from '../../lib/billing/subscriptions/listSubscriptions.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingRecordsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = { records: billingRecordsFromEnvironment() }

/** GET /api/billing/subscriptions/{product}: what an organization has bought of a product, from the service's own record. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, query }) => {
  const { product } = path
  const slot = await findSubscription(deps, { organizationId: query.organization_id, caller, product })
  const body = slot ? toSubscriptionResource(slot) : null
  if (body === null) throw new BillingError('not_subscribed')
  return { status: 200, body }
})
