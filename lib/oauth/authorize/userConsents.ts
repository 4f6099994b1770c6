import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import type { Caller } from '../../core/identity.ts'
import { described, named, noNextCursor } from '../../http/schema.ts'
import { clientNames } from '../client/clientNames.ts'
import { SessionError } from '../errors.ts'
import type { Consents, OAuthClients } from '../ports.ts'
import { type EndUserSessionDeps, revokeAll } from '../session/userSessions.ts'

/** What the API's user has allowed a client. */
export const consentResource = named(
  'Consent',
  z.strictObject({
    client_id: described('The client’s id', z.string()),
    name: described('The name of the client', z.string()),
    scopes: described('What the client may do', z.array(z.string())),
    granted_at: described('When the user allowed it', z.iso.datetime()),
  }),
)

export const consentList = z.strictObject({
  consents: described('The clients that the user has allowed and not withdrawn', z.array(consentResource)),
  next_cursor: noNextCursor,
})

export interface ListConsentsDeps {
  readonly callers: { requireLive(caller: Caller): Promise<void> }
  readonly consents: Pick<Consents, 'list'>
  readonly clients: OAuthClients
}

/**
 * Lists what the caller's user has allowed clients and not withdrawn.
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function listUserConsents(
  { callers, consents, clients }: ListConsentsDeps,
  caller: Caller,
): Promise<z.infer<typeof consentList>> {
  const [, given] = await Promise.all([callers.requireLive(caller), consents.list(caller.userId)])
  const nameOf = await clientNames(
    clients,
    given.map(({ clientId }) => clientId),
  )
  return {
    consents: given.map(({ clientId, scope, givenAt }) => ({
      client_id: clientId,
      name: nameOf(clientId),
      scopes: scope.split(' ').filter(Boolean),
      granted_at: toRfc3339(givenAt),
    })),
    next_cursor: null,
  }
}

export interface WithdrawConsentDeps
  extends Pick<EndUserSessionDeps, 'userSessions' | 'refreshTokens' | 'activity' | 'clock' | 'logger'> {
  readonly consents: Pick<Consents, 'list' | 'withdraw'>
}

/**
 * Withdraws the user's consent to a client, and ends every grant that the client has from this user. Safe to repeat, also after a failure.
 * @throws SessionError `consent_not_found` if the client has neither consent nor tokens; CommonError `invalid_token`, `service_unavailable`
 */
export async function withdrawConsent(deps: WithdrawConsentDeps, caller: Caller, clientId: string): Promise<void> {
  const [{ grants }, consents] = await Promise.all([deps.userSessions.list(caller), deps.consents.list(caller.userId)])
  const isThere =
    consents.some((consent) => consent.clientId === clientId) ||
    grants.some((grant) => grant.clientId === clientId && !grant.isRevoked)
  // First, so that no family is added after the families are read.
  await deps.consents.withdraw(caller.userId, clientId)
  await revokeAll(deps, await deps.userSessions.families(caller.userId, { clientId }))
  if (!isThere) throw new SessionError('consent_not_found')
  await deps.activity.record(caller.userId, 'client_withdrawn')
  deps.logger.info('Consent withdrawn', { clientId })
}
