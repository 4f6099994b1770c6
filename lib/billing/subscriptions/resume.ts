import { type Principal, principalIdOf } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Product } from '../catalog.ts'
import { BillingError } from '../errors.ts'
import { changedOrEnded } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { isOf, type SubscribedSlot } from '../slot/slot.ts'
import { slotOfProduct } from '../slot/slotOfProduct.ts'
import { recordSubscription } from '../slot/synchronizeSlot.ts'

interface ResumeRequest {
  organizationId: OrganizationId
  caller: Principal
  product: Product
}

/**
 * Takes back a scheduled cancellation at the gateway first, then in the record, so that a refusal records nothing. If the local write is
 * lost, the gateway's own event projects the same state. A repeated request gets the same answer. `incomplete` subscriptions are
 * always canceled at once, so there is nothing to take back.
 * @returns the slot as it is stored now
 * @throws OrganizationError; BillingError `not_subscribed`, `subscription_ended`, `checkout_in_progress`, `gateway_refused`,
 * `gateway_unavailable`
 */
export async function resume(deps: Omit<BillingDeps, 'cipher'>, request: ResumeRequest): Promise<SubscribedSlot> {
  const billing = await deps.records.read(request.organizationId, request.caller, [request.product])
  authorizeBilling(billing, 'write billing')
  const slot = slotOfProduct(billing, request.product)
  if (slot.state === 'canceled') throw new BillingError('subscription_ended')
  if (slot.state === 'incomplete') return slot

  const { id } = slot.subscription
  const { purchases } = gatewayOf(deps.gateways, slot)
  const resumed = await changedOrEnded(
    { purchases },
    id,
    await purchases.resumeSubscription(id, principalIdOf(request.caller)),
  )
  const { slot: stored } = await recordSubscription(deps, slot, resumed)
  if (!isOf(stored, id) || stored.state === 'canceled') throw new BillingError('subscription_ended')
  return stored
}
