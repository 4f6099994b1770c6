import { type Principal, principalIdOf } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Product } from '../catalog.ts'
import { releaseClaim } from '../checkout/claimLines.ts'
import type { ClaimedLine } from '../checkout/holdSlot.ts'
import type { PurchaseContext } from '../checkout/readCart.ts'
import { settleDeclined } from '../checkout/settlePurchase.ts'
import { lookUpPending } from '../checkout/submitPurchase.ts'
import { BillingError } from '../errors.ts'
import { changedOrEnded, requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import {
  type CancellationReason,
  type GatewaySubscription,
  isDeclined,
  isEnded,
  isRefundDue,
} from '../gateway/subscription.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import { type Ending, endNow, endUnpaid, hasNoPeriod } from '../slot/endUnpaid.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import { refundAfter } from '../slot/refundPolicy.ts'
import { isFree, isOf, type Slot, type SubscribedSlot } from '../slot/slot.ts'
import { commitChange, freeSlot, toSubscription } from '../slot/slotChange.ts'
import { recordSubscription } from '../slot/synchronizeSlot.ts'
import { BUDGET } from '../timing.ts'

export interface Cancellation {
  status: 'cancellation_scheduled' | 'canceled'
  /** The end of the paid period; if `canceled`, when the subscription ended. Unix seconds. */
  effectiveAt: number | null
  /** A payment that the record did not show when the request came was refunded. */
  refunded?: true
}

interface CancelRequest {
  organizationId: OrganizationId
  caller: Principal
  product: Product
  atPeriodEnd: boolean
  reason?: CancellationReason | undefined
}

/**
 * Cancels a product's subscription at the gateway first, then in the record, so that a refusal records nothing. If the local write is
 * lost, the gateway's own event projects the same state. A repeated request gets the same answer.
 * @throws OrganizationError; BillingError `not_subscribed`, `checkout_in_progress`, `gateway_refused`, `gateway_unavailable`
 */
export async function cancel(deps: BillingDeps, request: CancelRequest): Promise<Cancellation> {
  const billing = await deps.records.read(request.organizationId, request.caller, [request.product])
  const account = authorizeBilling(billing, 'write billing')
  const slot = billing.slots.find(({ product }) => product === request.product)
  if (slot?.state === 'pending') return cancelPending(deps, account, slot, request)
  if (!slot?.subscription) throw new BillingError('not_subscribed')
  if (slot.state === 'canceled') return ended(slot.subscription)
  return cancelHeld(deps, slot, slot.subscription.id, request)
}

/**
 * When the lease of a purchase with an unknown outcome has ended, looks the purchase up, and cancels it if the gateway has it. If it was
 * certainly never made, frees its slot: there is nothing to cancel.
 */
async function cancelPending(
  deps: BillingDeps,
  account: BillingAccount,
  slot: Slot,
  request: CancelRequest,
): Promise<Cancellation> {
  const now = deps.clock.now()
  if (!slot.claim || slot.claim.leaseUntil > now) throw new BillingError('checkout_in_progress')
  const found = await lookUpPending(deps, account, slot)
  if (found === null) throw new BillingError('checkout_in_progress')
  const { line, outcome } = found
  switch (outcome.kind) {
    case 'subscription':
      return cancelFound({ deps, account, deadline: now + BUDGET }, line, outcome.subscription, request)
    case 'absent':
      await freeSlot(deps.records, line.slot)
      throw new BillingError('not_subscribed')
    default:
      await releaseClaim({ deps }, line)
      throw new BillingError('gateway_unavailable')
  }
}

/** If every payment was declined, there is no subscription to cancel. An unpaid subscription is recorded before it is canceled. */
async function cancelFound(
  context: PurchaseContext,
  line: ClaimedLine,
  found: GatewaySubscription,
  request: CancelRequest,
): Promise<Cancellation> {
  const { deps } = context
  if (isDeclined(found) || isRefundDue(found)) {
    const settled = await settleDeclined(context, { ...line, same: false }, found)
    throw new BillingError(settled.kind === 'free' ? 'not_subscribed' : 'gateway_unavailable')
  }
  const change = toSubscription(line.slot, found, deps.clock.now())
  if (found.wasPaid && change.next.subscription?.id === found.id) {
    return cancelHeld(deps, line.slot, found.id, request, found)
  }
  const conflict = await commitChange(deps.records, change)
  const slot = conflict ? conflict.slot : change.next
  if (isFree(change.next)) throw new BillingError('not_subscribed')
  if (slot?.subscription?.id !== found.id) throw new BillingError('checkout_in_progress')
  return cancelHeld(deps, slot, found.id, request, found)
}

async function cancelHeld(
  deps: BillingDeps,
  slot: Slot,
  subscriptionId: string,
  { atPeriodEnd, caller, reason }: CancelRequest,
  known?: GatewaySubscription,
): Promise<Cancellation> {
  const gateway = gatewayOf(deps.gateways, slot)
  // What an organization that is sent invoices pays is for what it used.
  const after = gateway.cards && refundAfter(slot, subscriptionId)
  const ending = { gateway, id: subscriptionId, by: principalIdOf(caller), reason, refundAfter: after }
  const cancelIt = atPeriodEnd ? cancelAtPeriodEnd : endNow
  const subscription = known && isEnded(known.status) ? known : await cancelIt(ending, slot, known)
  const { slot: stored, latest } = await recordSubscription(deps, slot, subscription)
  return isEnded(latest.status)
    ? ended({ ...(isOf(stored, latest.id) && stored.subscription), endedAt: latest.endedAt })
    : { status: 'cancellation_scheduled', effectiveAt: subscription.cancelAt ?? subscription.currentPeriodEnd }
}

/** Schedules the end for the end of the paid period. If there is none, ends the subscription at once, unless it is paid meanwhile. */
async function cancelAtPeriodEnd(
  ending: Ending,
  slot: Slot,
  known?: GatewaySubscription,
): Promise<GatewaySubscription> {
  const { gateway, id, by, reason } = ending
  const schedule = async () => changedOrEnded(gateway, id, await gateway.purchases.cancelAtPeriodEnd(id, by, reason))
  const isUncertain = known === undefined && slot.state === 'incomplete'
  const current = isUncertain ? requireOk(await gateway.purchases.fetchSubscription(id)) : known
  if (current && isEnded(current.status)) return current
  // Whatever crashes then, an end is scheduled. An incomplete subscription takes no schedule.
  const latest = current?.status === 'incomplete' ? current : await schedule()
  if (!hasNoPeriod(ending, latest.status)) return latest
  return (await endUnpaid(ending, latest)) ?? schedule()
}

function ended({ endedAt, refunded }: Pick<SubscribedSlot['subscription'], 'endedAt' | 'refunded'>): Cancellation {
  return { status: 'canceled', effectiveAt: endedAt, ...(refunded && { refunded }) }
}
