import type { AnyCaller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import { type Entitlement, entitlementAt, entitlementOf } from '../slot/entitlement.ts'
import type { BillingDeps } from '../slot/ports.ts'

/**
 * The entitlements of an organization, one per product.
 * @throws OrganizationError if the caller is no member
 */
export async function readEntitlements(
  deps: Pick<BillingDeps, 'records' | 'clock'>,
  request: { organizationId: OrganizationId; caller: AnyCaller },
): Promise<Entitlement[]> {
  const found = await deps.records.read(request.organizationId, request.caller)
  const account = authorizeBilling(found, 'read billing')
  const now = deps.clock.now()
  return found.slots.map((slot) => entitlementAt(now, entitlementOf(slot, account.createdAt)))
}

/** When the latest of an organization's entitlements was updated. RFC 3339 in UTC sorts as text. */
export function lastUpdate(entitlements: readonly Entitlement[]): string {
  return (
    entitlements
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1) ?? ''
  )
}
