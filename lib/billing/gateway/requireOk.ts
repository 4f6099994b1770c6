import type { GatewayAnswer } from './gatewayAnswer.ts'
import { gatewayFailure } from './gatewayFailure.ts'

/**
 * The value of an answer.
 * @throws BillingError `gateway_refused`, or `gateway_unavailable` where the outcome is unknown
 */
export function requireOk<Value>(answer: GatewayAnswer<Value>): Value {
  if (answer.kind === 'ok') return answer.value
  throw gatewayFailure(answer)
}
