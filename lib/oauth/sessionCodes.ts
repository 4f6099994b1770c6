import type { Clock } from '../core/clock.ts'
import type { Ids } from '../core/ids.ts'
import type { AuthorizationCodes, RefreshTokens, Session, Sessions } from './ports.ts'
import { digestSecret, type SecretDigest } from './secretDigest.ts'

/**
 * How many codes of first-party clients a session holds at most, so that no stream of authorizations makes it grow without end. The next
 * one asks to sign in again.
 */
export const SESSION_CODES = 200

/** How many of them a session takes over from the one that it replaces: the newest. */
export const INHERITED_CODES = 100

export interface EndGrantsDeps {
  readonly sessions: Sessions
  readonly codes: Pick<AuthorizationCodes, 'consume'>
  readonly refreshTokens: Pick<RefreshTokens, 'revokeFamily'>
  readonly ids: Ids
  readonly clock: Clock
}

/**
 * Ends the session with this secret, and with it what first-party clients got in it: their refresh tokens are revoked, and codes that
 * were not exchanged yet are not good any more. Tokens of other clients stay valid. Safe to repeat.
 * @throws CommonError `service_unavailable`
 */
export async function endSessionAndGrants(deps: EndGrantsDeps, secret: string | undefined): Promise<void> {
  if (secret === undefined) return
  const digest = digestSecret(secret)
  // The session goes last: after a failure, signing out again finds what is left to end.
  const { codes = [] } = (await deps.sessions.find(digest)) ?? {}
  await endAll(deps, codes)
  const ended = await deps.sessions.end(digest)
  await endAll(deps, ended?.codes.slice(codes.length) ?? [])
}

async function endAll(deps: EndGrantsDeps, codes: Session['codes']): Promise<void> {
  await Promise.all(codes.map((code) => endGrant(deps, code)))
}

/** As if the code were used again: what its first use issued ends, and where there was none, there can be none. */
async function endGrant({ codes, refreshTokens, ids, clock }: EndGrantsDeps, code: SecretDigest): Promise<void> {
  const now = clock.now()
  const use = await codes.consume(code, { familyId: ids.uuid(), now })
  if (use.outcome === 'already_used') await refreshTokens.revokeFamily({ familyId: use.familyId, now })
}
