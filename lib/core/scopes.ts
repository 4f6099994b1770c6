/** What a client learns about the user who signs in (OpenID Connect Core §5.4), and whether it may refresh its tokens (§11). */
const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** What a client may do in an organization. */
export const resourceScopes = [
  'entitlements:read',
  'billing:read',
  'billing:write',
  'members:read',
  'audit_log:read',
  'events:read',
] as const

export type ResourceScope = (typeof resourceScopes)[number]

/** What a service client may read in every organization. It is granted no scope that writes. */
export const serviceScopes = [
  'entitlements:read',
  'billing:read',
  'members:read',
  'audit_log:read',
  'events:read',
] as const satisfies readonly ResourceScope[]

/** Whether a service client may be granted this scope. */
export function isServiceScope(name: string): name is (typeof serviceScopes)[number] {
  return serviceScopes.some((scope) => scope === name)
}

export const scopes = [...identityScopes, ...resourceScopes] as const

export type Scope = (typeof scopes)[number]

/** The scopes in a space-separated list (RFC 6749 §3.3), as written. */
export function scopesIn(list = ''): string[] {
  return list.split(' ').filter(Boolean)
}

/** Whether a scope of this name exists. */
export function isScope(name: string): name is Scope {
  return scopes.some((scope) => scope === name)
}
