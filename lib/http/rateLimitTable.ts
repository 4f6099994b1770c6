import type { RateLimit } from '../core/rateLimits.ts'

/** A function's limit, and what becomes of its requests while nobody can count them. */
export interface FunctionRateLimit extends RateLimit {
  readonly whenStoreAway: 'admit' | 'refuse'
}

/**
 * The limit of every function that is limited, for each of its principals: the signed-in user; at the token endpoint a client
 * at one address, so that a server which exchanges codes for all its users has room, and nobody can use up another's.
 * While the store is away only the token endpoint refuses, for there secrets can be guessed. Elsewhere the caller is known,
 * and what keeps money safe does not rest on this count.
 */
export const rateLimitTable = {
  'oauth-token': { requests: 300, windowSeconds: 60, whenStoreAway: 'refuse' },
  'users-me': { requests: 120, windowSeconds: 60, whenStoreAway: 'admit' },
  'users-me-update': { requests: 20, windowSeconds: 60, whenStoreAway: 'admit' },
  'billing-checkout': { requests: 20, windowSeconds: 60, whenStoreAway: 'admit' },
  // Each one is an invitation to try a card: stolen ones are tested in places that hand out many.
  'billing-setup-intent': { requests: 10, windowSeconds: 60, whenStoreAway: 'admit' },
  'billing-cancel': { requests: 20, windowSeconds: 60, whenStoreAway: 'admit' },
  'billing-entitlements': { requests: 120, windowSeconds: 60, whenStoreAway: 'admit' },
} as const satisfies Readonly<Record<string, FunctionRateLimit>>

/** The manifest's name of a function that is limited. */
export type LimitedFunction = keyof typeof rateLimitTable
