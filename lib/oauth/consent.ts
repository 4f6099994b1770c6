import type { Clock } from '../core/clock.ts'
import type { UserId } from '../core/ids.ts'
import type { OAuthClient } from './oauthClient.ts'
import type { Consents } from './ports.ts'
import { isLoopback } from './redirectUri.ts'

export interface ConsentDeps {
  readonly consents: Consents
  readonly clock: Clock
}

/** What a user is asked to allow a client. */
interface ConsentQuestion {
  userId: UserId
  client: OAuthClient
  redirectUri: string
  scopes: readonly string[]
}

/**
 * Whether the user need not be asked: the client is the operator's own, or was allowed all of this before. Any program may listen at
 * a loopback address in the client's name, so there the user is asked every time (RFC 8252 §8.6, RFC 6749 §10.2).
 * @throws CommonError `service_unavailable`
 */
export async function isAllowed({ consents }: ConsentDeps, question: ConsentQuestion): Promise<boolean> {
  const { userId, client, redirectUri, scopes } = question
  if (isLoopback(redirectUri)) return false
  if (client.firstParty) return true
  const consent = await consents.find(userId, client.clientId)
  if (consent === undefined) return false
  const allowed = new Set(scopesIn(consent.scope))
  return scopes.every((scope) => allowed.has(scope))
}

/**
 * Stores that the user allows the client this, in addition to what was allowed before.
 * @throws CommonError `service_unavailable`
 */
export async function allow({ consents, clock }: ConsentDeps, question: ConsentQuestion): Promise<void> {
  const { userId, client, scopes } = question
  const before = await consents.find(userId, client.clientId)
  const scope = [...new Set([...scopesIn(before?.scope), ...scopes])].join(' ')
  await consents.give(userId, client.clientId, { scope, givenAt: clock.now() })
}

function scopesIn(scope = ''): string[] {
  return scope.split(' ').filter(Boolean)
}
