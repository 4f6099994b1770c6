import { organizationIdSchema } from '../../core/ids.ts'
import { productOf } from '../catalog.ts'
import { BillingError } from '../errors.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import type { GatewaySubscription } from '../gateway/subscription.ts'
import { productCode, type SlotName } from '../slot/slot.ts'

/** @throws BillingError `gateway_unavailable` if the gateway did not answer with a list */
export function listed<Value>(answer: GatewayAnswer<Value>): Value {
  if (answer.kind === 'ok') return answer.value
  throw new BillingError('gateway_unavailable', { message: 'The gateway could not be listed' })
}

/** The slot that a subscription's metadata names; undefined if they name no slot of ours. */
export function slotNamedBy({ purchase }: GatewaySubscription): SlotName | undefined {
  const organizationId = organizationIdSchema.safeParse(purchase?.organization_id).data
  const product = productOf(purchase?.plan_code ?? '')
  return organizationId && product && { organizationId, product }
}

/** Whether a subscription's metadata name this slot. */
export function namesSlot(subscription: GatewaySubscription, slot: SlotName): boolean {
  const named = slotNamedBy(subscription)
  return named !== undefined && productCode(named) === productCode(slot)
}
