import * as z from 'zod'
import type { UserId } from '../core/ids.ts'
import { OrganizationError } from './errors.ts'

export { OrganizationError }

/** What a member may do: owners and billing admins change billing, every member reads it. */
export const roleSchema = z.enum(['owner', 'billing_admin', 'member'])
export type Role = z.infer<typeof roleSchema>

const rolesThatMay = {
  'read billing': ['owner', 'billing_admin', 'member'],
  'write billing': ['owner', 'billing_admin'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof rolesThatMay

/**
 * Refuses whoever may not do `permission` in an organization.
 * @param role the caller's role there; undefined for an unknown organization and for one that is not theirs, which must look alike
 * @throws OrganizationError `organization_not_found` or `forbidden`
 */
export function requirePermission(role: Role | undefined, permission: Permission): void {
  if (role === undefined) throw new OrganizationError('organization_not_found')
  const allowed: readonly Role[] = rolesThatMay[permission]
  if (!allowed.includes(role)) throw new OrganizationError('forbidden')
}

/** A user's standing in an organization, as stored. */
export interface Membership {
  userId: UserId
  role: Role
}
