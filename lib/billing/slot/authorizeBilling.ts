import { OrganizationError } from '../../organizations/errors.ts'
import { type Permission, requirePermission } from '../../organizations/permissions.ts'
import type { Role } from '../../organizations/ports.ts'
import { BillingError } from '../errors.ts'
import type { BillingAccount } from './ports.ts'

/**
 * Returns the organization's account if the caller may do `permission` there.
 * @throws OrganizationError `organization_not_found` if the organization is unknown, and alike if the caller is not in it;
 * `forbidden` if the member's role does not allow it
 */
export function authorizeBilling(
  { role, account }: { role: Role | undefined; account: BillingAccount | undefined },
  permission: Permission,
): BillingAccount {
  requirePermission(role, permission)
  if (!account) throw new OrganizationError('organization_not_found')
  return account
}

/**
 * Returns the account if something may be sold to the organization: nothing is while it is being deleted.
 * @throws BillingError `organization_deleting`
 */
export function requireNotDeleting(account: BillingAccount): BillingAccount {
  if (account.isBeingDeleted) throw new BillingError('organization_deleting')
  return account
}
