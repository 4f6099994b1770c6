import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeBilling } from './authorizeBilling.ts'
import { completeEntitlements, type Entitlement } from './entitlement.ts'
import type { BillingDeps } from './ports.ts'

/**
 * What an organization is entitled to: one for each product.
 * @throws OrganizationError for a caller who is no member
 */
export async function readEntitlements(
  deps: Pick<BillingDeps, 'records'>,
  request: { organizationId: OrganizationId; userId: UserId },
): Promise<Entitlement[]> {
  const found = await deps.records.readEntitlements(request.organizationId, request.userId)
  const account = authorizeBilling(found, 'read billing')
  return completeEntitlements(account.organizationId, account.createdAt, found.entitlements)
}
