import { toSavedCardResource } from '../../lib/billing/customer/cardResource.ts'
import { getCard } from '../../lib/billing/customer/cards.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** GET /api/billing/payment-methods/{payment_method_id}: a card that an organization has saved. */
export const handler = protectedEndpoint(contract, httpDeps({ isCountedFirst: true }), async (request) => {
  const { caller, path, query } = request
  const wanted = { organizationId: query.organization_id, caller, paymentMethodId: path.payment_method_id }
  return { status: 200, body: toSavedCardResource(await getCard(deps, wanted)) }
})
