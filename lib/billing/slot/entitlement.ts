import { secondsToRfc3339, toRfc3339 } from '../../core/clock.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Product } from '../catalog.ts'
import type { Slot, SlotState } from './slot.ts'

/** What an organization may use. Times are RFC 3339 in UTC. */
export interface Entitlement {
  organizationId: OrganizationId
  product: Product
  active: boolean
  /** End of the paid period, or of the scheduled cancellation; null while inactive. */
  validUntil: string | null
  updatedAt: string
  /** Unix seconds of a scheduled end. After that it is inactive, even if no event says so. */
  endsAt?: number
}

const entitlingStates: readonly SlotState[] = ['trialing', 'active', 'past_due']

/** Whether the organization may use what it bought with the slot. Ignores whether a scheduled end has passed. */
export function isEntitling({ state }: Slot): boolean {
  return entitlingStates.includes(state)
}

/**
 * The entitlement that follows from a slot. It is never stored, so the two cannot disagree. It is as old as the gateway's last answer, or
 * as an operator's word that the subscription has ended.
 * @param createdAt when the organization was created: a product that was never bought is inactive since then
 */
export function entitlementOf(slot: Slot, createdAt: string): Entitlement {
  const { organizationId, product, subscription } = slot
  const active = isEntitling(slot)
  const cancelAt = subscription?.cancelAt ?? null
  const until = cancelAt ?? subscription?.currentPeriodEnd
  const asOf = subscription && Math.max(subscription.coveredUntil, subscription.endedAt ?? 0)
  return {
    organizationId,
    product,
    active,
    validUntil: active ? secondsToRfc3339(until) : null,
    // 0 if the gateway's answer had no date.
    updatedAt: secondsToRfc3339(asOf || undefined) ?? createdAt,
    ...(active && cancelAt !== null && { endsAt: cancelAt }),
  }
}

/**
 * An entitlement as it is now: inactive from its scheduled end on.
 * @param now Unix milliseconds
 */
export function entitlementAt(now: number, entitlement: Entitlement): Entitlement {
  const { active, endsAt } = entitlement
  if (!active || endsAt === undefined || now < endsAt * 1000) return entitlement
  return { ...entitlement, active: false, validUntil: null, updatedAt: toRfc3339(endsAt * 1000) }
}
