import { BillingError } from '../errors.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { Purchases } from './gatewayPorts.ts'
import { type GatewaySubscription, isEnded } from './subscription.ts'

/** The error for an answer that is not what was asked for: `gateway_unavailable` where the outcome is unknown, else `gateway_refused`. */
export function gatewayFailure(answer: GatewayAnswer<unknown>): BillingError {
  return new BillingError(answer.kind === 'unknown' ? 'gateway_unavailable' : 'gateway_refused')
}

/**
 * The subscription as a change left it, or as it is where the gateway does not change it any more because it has ended. "Not found"
 * alone does not say so, for it may not be ours to see: only the subscription itself does.
 * @throws BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function changedOrEnded(
  purchases: Pick<Purchases, 'fetchSubscription'>,
  subscriptionId: string,
  answer: GatewayAnswer<GatewaySubscription>,
): Promise<GatewaySubscription> {
  if (answer.kind === 'ok') return answer.value
  if (answer.kind !== 'refused' || answer.reason !== 'not_found') throw gatewayFailure(answer)
  const latest = await purchases.fetchSubscription(subscriptionId)
  if (latest.kind === 'ok' && isEnded(latest.value.status)) return latest.value
  throw gatewayFailure(latest)
}
