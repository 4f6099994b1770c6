import { cancel } from '../../lib/billing/subscriptions/cancel.ts'
import { secondsToRfc3339 } from '../../lib/core/clock.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** POST /api/billing/cancel: cancels a product's subscription. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, query, body }) => {
  const { status, effectiveAt, refunded } = await cancel(deps, {
    organizationId: query.organization_id,
    caller,
    product: body.product,
    atPeriodEnd: body.at_period_end,
    reason: body.reason,
  })
  return {
    status: 200,
    body: { status, effective_at: secondsToRfc3339(effectiveAt), ...(refunded && { refunded }) },
  }
})
