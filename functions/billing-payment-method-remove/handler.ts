import { removeCard } from '../../lib/billing/customer/removeCard.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** DELETE /api/billing/payment-methods/{payment_method_id}: removes a card. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, query }) => {
  await removeCard(deps, {
    organizationId: query.organization_id,
    caller,
    paymentMethodId: path.payment_method_id,
  })
  return { status: 204, body: undefined }
})
