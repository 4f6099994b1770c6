import { BillingError } from '../errors.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { Purchases } from './gatewayPorts.ts'
import { type GatewaySubscription, isEnded } from './subscription.ts'

/** The error for an answer other than `ok`: `gateway_unavailable` if the outcome is unknown, else `gateway_refused`. */
export function gatewayFailure(answer: GatewayAnswer<unknown>): BillingError {
  return new BillingError(answer.kind === 'unknown' ? 'gateway_unavailable' : 'gateway_refused')
}

/**
 * Returns the value of an answer.
 * @throws BillingError `gateway_refused`, or `gateway_unavailable` if the outcome is unknown
 */
export function requireOk<Value>(answer: GatewayAnswer<Value>): Value {
  if (answer.kind === 'ok') return answer.value
  throw gatewayFailure(answer)
}

type Fetching = { readonly purchases: Pick<Purchases, 'fetchSubscription'> }

/** Fetches a subscription that is recorded here. `missing` is certain only if the same API key sees its customer. */
export async function fetchKnown(
  { purchases }: Fetching,
  subscriptionId: string,
): Promise<{ kind: 'found'; subscription: GatewaySubscription } | { kind: 'missing' } | { kind: 'unknown' }> {
  const fetched = await purchases.fetchSubscription(subscriptionId)
  if (fetched.kind === 'ok') return { kind: 'found', subscription: fetched.value }
  return { kind: fetched.kind === 'refused' && fetched.reason === 'not_found' ? 'missing' : 'unknown' }
}

/**
 * The subscription as a change left it, or as it is if the gateway no longer changes it because it has ended. "Not found" alone does not
 * prove that it has ended, because this API key may not see it. Only the subscription itself proves it.
 * @throws BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function changedOrEnded(
  { purchases }: Fetching,
  subscriptionId: string,
  answer: GatewayAnswer<GatewaySubscription>,
): Promise<GatewaySubscription> {
  if (answer.kind === 'ok') return answer.value
  if (answer.kind !== 'refused' || answer.reason !== 'not_found') throw gatewayFailure(answer)
  const latest = await purchases.fetchSubscription(subscriptionId)
  if (latest.kind === 'ok' && isEnded(latest.value.status)) return latest.value
  throw gatewayFailure(latest)
}
