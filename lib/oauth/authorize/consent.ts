import type { ActivityRecorder } from '../../core/activity.ts'
import type { Clock } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { scopesIn } from '../../core/scopes.ts'
import { leadsToProgram, type RedirectPolicy } from '../client/redirectUri.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { Consents } from '../ports.ts'

export interface ConsentDeps {
  readonly consents: Consents
  readonly clock: Clock
  readonly redirectPolicy: RedirectPolicy
}

export type AllowDeps = Pick<ConsentDeps, 'consents' | 'clock'> & { readonly activity: ActivityRecorder }

/** What a user is asked to allow a client. */
interface ConsentQuestion {
  userId: UserId
  client: OAuthClient
  redirectUri: string
  scopes: readonly string[]
}

/**
 * Whether the user need not be asked: the client is the operator's own, or the user allowed all of this before. If the redirect URI is a
 * loopback address or has a private-use scheme, the user is asked every time, because any program can take the client's place there
 * (RFC 8252 §8.6, RFC 6749 §10.2). On a stage for development the operator's own clients are never asked about: developers run them on their
 * own machines.
 * @throws CommonError `service_unavailable`
 */
export async function isAllowed(
  { consents, redirectPolicy }: ConsentDeps,
  question: ConsentQuestion,
): Promise<boolean> {
  const { userId, client, redirectUri, scopes } = question
  if (client.firstParty && redirectPolicy === 'development') return true
  if (leadsToProgram(redirectUri)) return false
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
export async function allow(
  { consents, clock, activity }: AllowDeps,
  question: Omit<ConsentQuestion, 'redirectUri'>,
): Promise<void> {
  const { userId, client, scopes } = question
  const before = await consents.find(userId, client.clientId)
  const scope = [...new Set([...scopesIn(before?.scope), ...scopes])].join(' ')
  await consents.give(userId, client.clientId, { scope, givenAt: clock.now() })
  await activity.record(userId, 'client_allowed')
}
