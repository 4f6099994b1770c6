import { BillingError } from './errors.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'

/**
 * The value of an answer.
 * @throws BillingError `gateway_refused`, or `gateway_unavailable` where the outcome is unknown
 */
export function requireOk<Value>(answer: GatewayAnswer<Value>): Value {
  if (answer.kind === 'ok') return answer.value
  throw new BillingError(answer.kind === 'refused' ? 'gateway_refused' : 'gateway_unavailable')
}
