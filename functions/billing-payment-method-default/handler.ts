import { toCardResource } from '../../lib/billing/customer/cardResource.ts'
import { setDefaultCard } from '../../lib/billing/customer/setDefaultCard.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** POST /api/billing/payment-methods/{payment_method_id}/default: makes a card the default, of every subscription too. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, query }) => {
  const card = await setDefaultCard(deps, {
    organizationId: query.organization_id,
    caller,
    paymentMethodId: path.payment_method_id,
  })
  return { status: 200, body: toCardResource(card) }
})
