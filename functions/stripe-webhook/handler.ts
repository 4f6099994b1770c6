import { BillingError } from '../../lib/billing/errors.ts'
import { receiveEvent } from '../../lib/billing/events/projectEvent.ts'
import { organizationOf } from '../../lib/billing/gateway/gatewayEvent.ts'
import { refusal } from '../../lib/http/answer/errorBody.ts'
import { rawEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { forOrganization } from '../../lib/http/endpoint/requestScope.ts'
import { bodyBytes, header } from '../../lib/http/request/request.ts'
import { projectionDepsFromEnvironment, webhookVerifierFromEnvironment } from '../../lib/runtime/billing.ts'
import { contract } from './contract.ts'

const [deps, currentVerifier] = await Promise.all([projectionDepsFromEnvironment(), webhookVerifierFromEnvironment()])

/** Stripe's webhook: 200 only when the event is committed. If the answer is 500, Stripe sends the event again. */
export const handler = rawEndpoint(contract, deps, async (event) => {
  const payload = bodyBytes(event, 'event_too_large')
  const verifier = await currentVerifier()
  const verified = verifier.verify(payload, header(event, 'stripe-signature'))
  if (!verified) throw new BillingError('invalid_signature')
  return (await forOrganization(organizationOf(verified), () => receiveEvent(deps, verified)))
    ? { status: 200, body: { received: true } }
    : refusal('event_not_recorded', event)
})
