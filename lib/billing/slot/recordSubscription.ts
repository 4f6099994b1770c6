import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isEnded } from '../gateway/subscription.ts'
import { commitChange } from './commitChange.ts'
import type { BillingDeps } from './ports.ts'
import { isOf, type Slot } from './slot.ts'
import { toSubscription } from './slotChange.ts'

/** A slot as it is stored now, and the gateway's last answer about the subscription that was to be recorded. */
export interface Recorded {
  slot: Slot
  latest: GatewaySubscription
}

/**
 * Writes a subscription that the gateway answered with over an older projection of it. Where another writer came first, the answer
 * may be the older one of the two, however their clocks compare: the subscription is fetched and written again, three times at most.
 * Where that keeps losing or the gateway does not answer, its event writes the same.
 * @throws CommonError `service_unavailable`
 */
export async function recordSubscription(
  deps: Pick<BillingDeps, 'records' | 'gateways' | 'clock'>,
  slot: Slot,
  latest: GatewaySubscription,
  tries = 3,
): Promise<Recorded> {
  const change = toSubscription(slot, latest, deps.clock.now())
  const conflict = await commitChange(deps.records, change)
  if (conflict === null) return { slot: change.next, latest }
  const current = conflict.slot ?? slot
  if (!isOf(current, latest.id) || isEnded(current.subscription.status) || tries === 0) return { slot: current, latest }
  const fetched = await gatewayOf(deps.gateways, current).purchases.fetchSubscription(latest.id)
  return fetched.kind === 'ok' ? recordSubscription(deps, current, fetched.value, tries - 1) : { slot: current, latest }
}
