import { createSetupIntent } from '../../lib/billing/customer/setupIntent.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { buyingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = await buyingDepsFromEnvironment()

/** POST /api/billing/card-gateway/setup-intent: creates a setup intent, and returns the secret with which the console sets up a card. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, query, headers }) => {
  const clientSecret = await createSetupIntent(deps, {
    organizationId: query.organization_id,
    caller,
    idempotencyKey: headers['Idempotency-Key'],
  })
  return { status: 200, body: { client_secret: clientSecret } }
})
