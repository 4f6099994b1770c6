import { OrganizationError } from '../../organizations/errors.ts'
import { type Permission, requirePermission } from '../../organizations/permissions.ts'
import type { Role } from '../../organizations/ports.ts'
import { BillingError } from '../errors.ts'
import type { BillingAccount } from './ports.ts'

/**
 * The organization's account, for a caller who may do `permission` there.
 * @throws OrganizationError `organization_not_found` for an unknown organization and for one the caller is not in, alike;
 * `forbidden` for a member without the role
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
 * Returns the account of an organization to which something may be sold.
 * @throws BillingError `organization_deleting`
 */
export function requireNotDeleting(account: BillingAccount): BillingAccount {
  if (account.isBeingDeleted) throw new BillingError('organization_deleting')
  return account
}
