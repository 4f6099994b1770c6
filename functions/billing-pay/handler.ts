import { toSubscriptionResource } from '../../lib/billing/slot/subscriptionResource.ts'
import { paySubscription } from '../../lib/billing/subscriptions/paySubscription.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { projectionDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await projectionDepsFromEnvironment()

/** POST /api/billing/subscriptions/{product}/pay: pays the open invoice of a product's subscription. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, query, body }) => {
  const { slot, clientSecret } = await paySubscription(deps, {
    organizationId: query.organization_id,
    caller,
    product: path.product,
    paymentMethodId: body.payment_method_id,
  })
  const action = clientSecret === null ? 'none' : 'confirm_payment'
  return {
    status: 200,
    body: { subscription: toSubscriptionResource(slot), client: { action, client_secret: clientSecret } },
  }
})
