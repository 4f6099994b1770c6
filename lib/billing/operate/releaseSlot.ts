import { canNoLongerArrive } from '../checkout/submitPurchase.ts'
import { fetchKnown } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isEnded } from '../gateway/subscription.ts'
import type { SlotChange } from '../slot/ports.ts'
import { isFree, type Slot, type SlotName } from '../slot/slot.ts'
import { toFree, toSubscription } from '../slot/slotChange.ts'
import { slotEventsOf } from '../slot/slotEvents.ts'
import {
  askGateway,
  commitByOperator,
  failed,
  isOfSlot,
  type NotDone,
  type OperateDeps,
  type Operated,
  refuseCommand,
} from './operate.ts'

/**
 * Frees a slot, with its coupon, and ends its entitlement, by an operator's decision. Refuses unless the gateway certainly has no live
 * subscription for it.
 * @throws CommonError `service_unavailable`, or an error of KMS
 */
export async function releaseSlot(deps: OperateDeps, name: SlotName, { dryRun = false } = {}): Promise<Operated> {
  const { account, slot } = await deps.records.readSlot(name.organizationId, name.product)
  if (!account) return refuseCommand('there is no such organization')
  if (isFree(slot)) return refuseCommand(`the slot is free: its state is ${slot.state}`)
  // Read before the list: only what was quiet for long enough by then is proven absent by it.
  const now = deps.clock.now()
  if (slot.claim && (slot.claim.leaseUntil > now || !canNoLongerArrive(slot, now))) {
    return refuseCommand(
      'its purchase may still arrive at the gateway: wait 15 minutes, or 20 hours where a failure was stored',
    )
  }
  const found = await askGateway(deps, account, name)
  if (found.kind !== 'found') return found
  const live = found.rows.find((row) => !isEnded(row.status) && isOfSlot(row, slot, found.price))
  if (live) return refuseCommand(`the gateway has ${live.id}, which is ${live.status}: adopt it, or cancel it first`)
  const own = await fetchOwn(deps, slot)
  if (own.kind === 'refused' || own.kind === 'failed') return own
  const hasEnded = own.kind === 'ended' && slot.state !== 'pending'
  const change = hasEnded ? toSubscription(slot, own.subscription, now) : toReleased(slot, now)
  return commitByOperator(deps, 'release', slot, change, dryRun)
}

/** The slot's own subscription if the gateway has it and it ended. Refuses if it is live: it may have another customer by now. */
async function fetchOwn(
  deps: OperateDeps,
  slot: Slot,
): Promise<{ kind: 'ended'; subscription: GatewaySubscription } | { kind: 'missing' } | NotDone> {
  const { subscription } = slot
  if (!subscription) return { kind: 'missing' }
  const own = await fetchKnown(gatewayOf(deps.gateways, slot), subscription.id)
  if (own.kind === 'missing') return own
  if (own.kind === 'unknown') return failed('the gateway did not answer')
  const { id, status } = own.subscription
  if (isEnded(status)) return { kind: 'ended', subscription: own.subscription }
  return refuseCommand(`the gateway has ${id} with another customer, and it is ${status}`)
}

/** The gateway does not know the slot's subscription: treat it as if it had ended now. */
function toReleased(slot: Slot, now: number): SlotChange {
  if (slot.state === 'pending' || !slot.subscription) return toFree(slot)
  const { coupon, payer: _payer, ...rest } = slot
  const subscription = { ...slot.subscription, status: 'canceled', endedAt: Math.floor(now / 1000) } as const
  const next: Slot = { ...rest, rev: slot.rev + 1, state: 'canceled', subscription }
  return { next, events: slotEventsOf(slot, next, now), ...(coupon && { redemption: { coupon, change: 'release' } }) }
}
