import type { OrganizationPage } from '../app/route.ts'
import type { Role } from '../app/types.ts'

const rolesThatMay = {
  'see billing': ['owner', 'billing_admin'],
  buy: ['owner', 'billing_admin'],
  'manage members': ['owner'],
  'manage organization': ['owner'],
  'see API clients': ['owner', 'billing_admin'],
  'manage API clients': ['owner'],
  'see activity': ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof rolesThatMay

/** Whether the console shows something to a role. The API decides for itself; this only hides actions that it would refuse. */
export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = rolesThatMay[permission]
  return roles.includes(role)
}

const needed: Partial<Record<OrganizationPage, Permission>> = {
  cards: 'see billing',
  invoices: 'see billing',
  details: 'see billing',
  'sign-in-rules': 'manage organization',
  domains: 'manage organization',
  sso: 'manage organization',
  'api-clients': 'see API clients',
  webhooks: 'manage organization',
  activity: 'see activity',
}

/** Whether a role is shown a page. */
export function maySee(role: Role, page: OrganizationPage): boolean {
  const permission = needed[page]
  return permission === undefined || may(role, permission)
}
