import type { RateLimit } from '../core/rateLimits.ts'

/** A function's limit, and what becomes of its requests while nobody can count them. */
export interface FunctionRateLimit extends RateLimit {
  readonly failMode: 'open' | 'closed'
}

/**
 * The limit of every function that is limited, for each of its principals: the signed-in user; where clients call, a client
 * at one address, so that a server which exchanges codes for all its users has room, and nobody can use up another's.
 * While the store is away only what clients call refuses, for there secrets can be guessed. Elsewhere the caller is known,
 * and what keeps money safe does not rest on this count.
 */
export const rateLimitTable = {
  'oauth-token': { requests: 300, windowSeconds: 60, failMode: 'closed' },
  'oauth-revoke': { requests: 300, windowSeconds: 60, failMode: 'closed' },
  'oauth-introspect': { requests: 300, windowSeconds: 60, failMode: 'closed' },
  // Nobody is known here yet: an address counts, which a whole office may share. Passwords have a throttle of their own.
  'oauth-authorize': { requests: 300, windowSeconds: 60, failMode: 'open' },
  'oauth-authorize-submit': { requests: 120, windowSeconds: 60, failMode: 'open' },
  'oauth-logout': { requests: 300, windowSeconds: 60, failMode: 'open' },
  'oauth-logout-submit': { requests: 120, windowSeconds: 60, failMode: 'open' },
  'users-me': { requests: 120, windowSeconds: 60, failMode: 'open' },
  'users-me-update': { requests: 20, windowSeconds: 60, failMode: 'open' },
  // Passwords are throttled by themselves; here an address counts, which a whole office may share, and where mail is sent, a user.
  'auth-register': { requests: 30, windowSeconds: 60, failMode: 'open' },
  'auth-verify-request': { requests: 30, windowSeconds: 60, failMode: 'open' },
  'auth-verify': { requests: 60, windowSeconds: 60, failMode: 'open' },
  'auth-password-forgot': { requests: 30, windowSeconds: 60, failMode: 'open' },
  'auth-password-reset': { requests: 60, windowSeconds: 60, failMode: 'open' },
  'auth-password-change': { requests: 10, windowSeconds: 60, failMode: 'open' },
  'users-me-email-change': { requests: 10, windowSeconds: 60, failMode: 'open' },
  'users-me-email-confirm': { requests: 60, windowSeconds: 60, failMode: 'open' },
  'account-link': { requests: 60, windowSeconds: 60, failMode: 'open' },
  'account-link-submit': { requests: 60, windowSeconds: 60, failMode: 'open' },
  'billing-checkout': { requests: 20, windowSeconds: 60, failMode: 'open' },
  // Each one is an invitation to try a card: stolen ones are tested in places that hand out many.
  'billing-setup-intent': { requests: 10, windowSeconds: 60, failMode: 'open' },
  'billing-cancel': { requests: 20, windowSeconds: 60, failMode: 'open' },
  'billing-entitlements': { requests: 120, windowSeconds: 60, failMode: 'open' },
  organizations: { requests: 120, windowSeconds: 60, failMode: 'open' },
  'organizations-create': { requests: 10, windowSeconds: 60, failMode: 'open' },
  'organizations-rename': { requests: 20, windowSeconds: 60, failMode: 'open' },
  'organizations-members': { requests: 120, windowSeconds: 60, failMode: 'open' },
  // Each one is a mail to somebody who did not ask for it.
  'organizations-invite': { requests: 10, windowSeconds: 60, failMode: 'open' },
  'organizations-invitation-revoke': { requests: 20, windowSeconds: 60, failMode: 'open' },
  'organizations-accept': { requests: 20, windowSeconds: 60, failMode: 'open' },
  'organizations-member-role': { requests: 20, windowSeconds: 60, failMode: 'open' },
  'organizations-member-remove': { requests: 20, windowSeconds: 60, failMode: 'open' },
  'organizations-leave': { requests: 20, windowSeconds: 60, failMode: 'open' },
  'organizations-transfer': { requests: 20, windowSeconds: 60, failMode: 'open' },
} as const satisfies Readonly<Record<string, FunctionRateLimit>>

/** The manifest's name of a function that is limited. */
export type LimitedFunction = keyof typeof rateLimitTable
