/** What a client learns of the user who signs in (OpenID Connect Core §5.4), and whether it may refresh its tokens (§11). */
export const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** What a client may do in an organization. */
export const resourceScopes = ['entitlements:read', 'billing:read', 'billing:write', 'members:read'] as const

export type ResourceScope = (typeof resourceScopes)[number]

/** Every scope that exists. */
export const scopes = [...identityScopes, ...resourceScopes] as const

export type Scope = (typeof scopes)[number]
