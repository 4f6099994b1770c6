import { toRfc3339 } from '../../core/clock.ts'
import { type EventData, type EventDraft, eventIdOf } from '../../events/event.ts'
import type { FactType } from '../../events/eventTypes.ts'
import { type Entitlement, entitlementAt, entitlementOf } from './entitlement.ts'
import { released, type Slot } from './slot.ts'
import { toSubscriptionResource } from './subscriptionResource.ts'

/**
 * The events of a slot's write: its subscription if the API's object differs, its entitlement if that is another or ends at another time. A purchase
 * under way is no event: its outcome is. So a claim stays a single write.
 * @param before the slot as it was read
 * @param next the slot as it is written
 * @param now Unix milliseconds
 */
export function slotEventsOf(before: Slot, next: Slot, now: number): EventDraft[] {
  const subscription = announced(next)
  const isChanged = subscription !== null && JSON.stringify(subscription) !== JSON.stringify(announced(before))
  const [earlier, entitlement] = [entitlementOf(before, toRfc3339(now)), entitlementOf(next, toRfc3339(now))]
  const isMoved = earlier.active !== entitlement.active || earlier.validUntil !== entitlement.validUntil
  return [
    ...(isMoved ? [draft('entitlement.changed', next, toEntitlementData(entitlementAt(now, entitlement)), now)] : []),
    ...(isChanged ? [draft('subscription.changed', next, subscription, now)] : []),
  ]
}

/**
 * What was last announced of a slot: while a purchase is pending, the subscription that ended before it. Without the page of its invoice, which
 * opens without signing in.
 */
function announced(slot: Slot): EventData | null {
  const subscription = toSubscriptionResource(slot.state === 'pending' ? released(slot) : slot)
  return subscription && { ...subscription, hosted_invoice_url: null }
}

function draft(type: FactType, { organizationId, product, rev }: Slot, data: EventData, at: number): EventDraft {
  const id = eventIdOf(type, organizationId, `${product} ${rev}`)
  return { organizationId, id, type, at, subject: `slot:${product}`, revision: rev, data }
}

function toEntitlementData({ product, active, validUntil, updatedAt }: Entitlement): EventData {
  return { product, active, valid_until: validUntil, updated_at: updatedAt }
}
