import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeBilling } from './authorizeBilling.ts'
import type { Product } from './catalog.ts'
import { BillingError } from './errors.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { BillingDeps, PaymentGateway } from './ports.ts'
import type { Slot } from './slot.ts'
import { toSubscription } from './slotChange.ts'
import { type GatewaySubscription, isEnded } from './subscription.ts'

export interface Cancellation {
  status: 'cancellation_scheduled' | 'canceled'
  /** End of the paid period, or when it ended; Unix seconds. */
  effectiveAt: number | null
}

type CancelDeps = Pick<BillingDeps, 'records' | 'gateway' | 'clock'>

/**
 * Cancels one product: the gateway first, the local record after, so that a refusal records nothing. Where the local write
 * is lost, the gateway's own event projects the same state. Sent again, it answers the same.
 * @throws OrganizationError; BillingError `not_subscribed`, `checkout_in_progress`, `gateway_refused`, `gateway_unavailable`
 */
export async function cancel(
  deps: CancelDeps,
  request: { organizationId: OrganizationId; userId: UserId; product: Product; atPeriodEnd: boolean },
): Promise<Cancellation> {
  const billing = await deps.records.read(request.organizationId, request.userId)
  authorizeBilling(billing, 'write billing')
  const slot = billing.slots.find(({ product }) => product === request.product)
  if (slot?.state === 'pending') throw new BillingError('checkout_in_progress')
  if (!slot?.subscription) throw new BillingError('not_subscribed')
  if (slot.state === 'canceled') return ended(slot.subscription.endedAt)

  const subscription = await cancelAtGateway(deps.gateway, slot, slot.subscription.id, request.atPeriodEnd)
  await record(deps, slot, subscription)
  return isEnded(subscription.status)
    ? ended(subscription.endedAt)
    : { status: 'cancellation_scheduled', effectiveAt: subscription.cancelAt ?? subscription.currentPeriodEnd }
}

/** Writes over an older projection of the same subscription; where it keeps losing, the gateway's event writes the same. */
async function record(deps: CancelDeps, slot: Slot, subscription: GatewaySubscription, tries = 3): Promise<void> {
  const conflict = await deps.records.commit([toSubscription(slot, subscription, deps.clock.now())])
  const current = conflict?.slots[0]
  const known = current?.subscription
  if (!current || known?.id !== subscription.id || isEnded(known.status)) return
  if (known.gatewayClock <= subscription.asOf && tries > 1) await record(deps, current, subscription, tries - 1)
}

async function cancelAtGateway(
  gateway: PaymentGateway,
  slot: Slot,
  subscriptionId: string,
  atPeriodEnd: boolean,
): Promise<GatewaySubscription> {
  // An incomplete subscription has no paid period to wait for.
  const answer =
    atPeriodEnd && slot.state !== 'incomplete'
      ? await gateway.cancelAtPeriodEnd(subscriptionId)
      : await gateway.cancelNow(subscriptionId)
  if (answer.kind === 'ok') return answer.value
  if (answer.kind === 'refused' && answer.reason === 'not_found') {
    // Ended already, or not ours to see: only the subscription itself shows which.
    const latest = await gateway.fetchSubscription(subscriptionId)
    if (latest.kind === 'ok' && isEnded(latest.value.status)) return latest.value
    throw failure(latest)
  }
  throw failure(answer)
}

function failure(answer: GatewayAnswer<unknown>): BillingError {
  return new BillingError(answer.kind === 'unknown' ? 'gateway_unavailable' : 'gateway_refused')
}

function ended(endedAt: number | null): Cancellation {
  return { status: 'canceled', effectiveAt: endedAt }
}
