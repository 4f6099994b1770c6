import { secondsToRfc3339, toRfc3339 } from '../core/clock.ts'
import type { OrganizationId } from '../core/ids.ts'
import { type Product, products } from './catalog.ts'
import type { Slot, SlotState } from './slot.ts'

/** What an organization may use. Times are RFC 3339 in UTC. */
export interface Entitlement {
  organizationId: OrganizationId
  product: Product
  active: boolean
  /** End of the paid period, or of the scheduled cancellation; null while inactive. */
  validUntil: string | null
  updatedAt: string
  /** Unix seconds of a scheduled end, after which it is inactive whether or not an event says so. */
  endsAt?: number
}

const entitlingStates: readonly SlotState[] = ['trialing', 'active', 'past_due']

/**
 * The entitlement that follows from a slot. Written in the same transaction as the slot, so that the two never disagree.
 * @param now Unix milliseconds
 */
export function entitlementOf(slot: Slot, now: number): Entitlement {
  const active = entitlingStates.includes(slot.state)
  const cancelAt = slot.subscription?.cancelAt ?? null
  const until = cancelAt ?? slot.subscription?.currentPeriodEnd
  return {
    organizationId: slot.organizationId,
    product: slot.product,
    active,
    validUntil: active ? secondsToRfc3339(until) : null,
    updatedAt: toRfc3339(now),
    ...(active && cancelAt !== null && { endsAt: cancelAt }),
  }
}

/**
 * A stored entitlement as it is now: inactive from its scheduled end on.
 * @param now Unix milliseconds
 */
export function entitlementAt(now: number, stored: Entitlement): Entitlement {
  const { endsAt } = stored
  if (!stored.active || endsAt === undefined || now < endsAt * 1000) return stored
  return { ...stored, active: false, validUntil: null, updatedAt: toRfc3339(endsAt * 1000) }
}

/** One entitlement for each product, in the catalog's order; a product never bought is inactive since the organization was created. */
export function completeEntitlements(
  organizationId: OrganizationId,
  createdAt: string,
  stored: readonly Entitlement[],
): Entitlement[] {
  return products.map(
    (product) =>
      stored.find((entitlement) => entitlement.product === product) ?? {
        organizationId,
        product,
        active: false,
        validUntil: null,
        updatedAt: createdAt,
      },
  )
}
