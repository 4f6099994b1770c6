import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeBilling } from './authorizeBilling.ts'
import type { BillingDeps } from './ports.ts'
import type { Slot } from './slot.ts'

/**
 * The slots of an organization, one for each product in the catalog's order, as the record has them: the gateway is not asked.
 * @throws OrganizationError for a caller who is no member
 */
export async function listSubscriptions(
  { records }: Pick<BillingDeps, 'records'>,
  request: { organizationId: OrganizationId; userId: UserId },
): Promise<readonly Slot[]> {
  const billing = await records.read(request.organizationId, request.userId)
  authorizeBilling(billing, 'read billing')
  return billing.slots
}
