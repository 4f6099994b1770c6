import { BillingError } from '../../lib/billing/errors.ts'
import { organizationOf } from '../../lib/billing/gatewayEvent.ts'
import { receiveEvent } from '../../lib/billing/receiveEvent.ts'
import { rawEndpoint } from '../../lib/http/endpoint.ts'
import { bodyBytes, header } from '../../lib/http/request.ts'
import { forOrganization } from '../../lib/http/requestScope.ts'
import { projectionDepsFromEnvironment, webhookVerifierFromEnvironment } from '../../lib/runtime/billing.ts'
import { contract } from './contract.ts'

const [deps, verifierInForce] = await Promise.all([projectionDepsFromEnvironment(), webhookVerifierFromEnvironment()])

/** Stripe's webhook: 2xx only after what it reports is committed, 500 so that Stripe sends it again. */
export const handler = rawEndpoint(contract, deps, async (event) => {
  const payload = bodyBytes(event, 'event_too_large')
  const verifier = await verifierInForce()
  const verified = verifier.verify(payload, header(event, 'stripe-signature'))
  if (!verified) throw new BillingError('invalid_signature')
  return (await forOrganization(organizationOf(verified), () => receiveEvent(deps, verified)))
    ? { status: 200, body: { received: true } }
    : { status: 500, body: { detail: 'The event could not be recorded' } }
})
