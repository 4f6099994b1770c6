import type { Principal } from '../core/identity.ts'
import type { OrganizationId } from '../core/ids.ts'
import { authorizeBilling } from './authorizeBilling.ts'
import { completeEntitlements, type Entitlement, entitlementAt } from './entitlement.ts'
import type { BillingDeps } from './ports.ts'

/**
 * What an organization is entitled to: one for each product.
 * @throws OrganizationError for a caller who is no member
 */
export async function readEntitlements(
  deps: Pick<BillingDeps, 'records' | 'clock'>,
  request: { organizationId: OrganizationId; caller: Principal },
): Promise<Entitlement[]> {
  const found = await deps.records.readEntitlements(request.organizationId, request.caller)
  const account = authorizeBilling(found, 'read billing')
  const now = deps.clock.now()
  const current = found.entitlements.map((entitlement) => entitlementAt(now, entitlement))
  return completeEntitlements(account.organizationId, account.createdAt, current)
}
