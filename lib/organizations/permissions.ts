import { ForbiddenError, OrganizationError } from './errors.ts'
import type { Role } from './ports.ts'

/** Owners manage the organization, owners and billing admins change billing, every member reads. */
const rolesThatMay = {
  'read billing': ['owner', 'billing_admin', 'member'],
  'write billing': ['owner', 'billing_admin'],
  'read members': ['owner', 'billing_admin', 'member'],
  'manage organization': ['owner'],
  'read API clients': ['owner', 'billing_admin'],
  'read audit log': ['owner'],
  leave: ['owner', 'billing_admin', 'member'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof rolesThatMay

/**
 * Throws unless `role` has `permission` in an organization.
 * @param role the caller's role in it; undefined if the organization is unknown or not theirs, which must look alike
 * @throws OrganizationError `organization_not_found` or `forbidden`
 */
export function requirePermission(role: Role | undefined, permission: Permission): void {
  if (role === undefined) throw new OrganizationError('organization_not_found')
  if (hasPermission(role, permission)) return
  throw new ForbiddenError(hasPermission('billing_admin', permission) ? 'billing_admin' : 'owner')
}

/** Whether a member with this role has `permission`. */
export function hasPermission(role: Role | undefined, permission: Permission): boolean {
  const allowed: readonly Role[] = rolesThatMay[permission]
  return role !== undefined && allowed.includes(role)
}
