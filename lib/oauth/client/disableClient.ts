import type { Clock } from '../../core/clock.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { ClientGrants, OAuthClientRegistry, OAuthClients, RefreshTokens } from '../ports.ts'
import { changeClient } from './clientRegistration.ts'

export interface DisableDeps {
  readonly clients: OAuthClients & OAuthClientRegistry
  readonly clientGrants: ClientGrants
  readonly refreshTokens: Pick<RefreshTokens, 'revokeFamily'>
  readonly clock: Clock
}

/** A changed client, and how many of its users' grants ended. */
type Ended = { client: OAuthClient; ended: number }

/** Revocations sent at the same time. */
const TOGETHER = 25

/**
 * Disables a client and ends all its grants: access tokens and refresh tokens are refused from then on, also when it is enabled again. While
 * it is disabled, it gets no codes and no tokens, and may not introspect or revoke. If it fails, repeat it: it ends the rest.
 * @throws OAuthError `invalid_request` if the client is unknown; CommonError `service_unavailable`
 */
export async function disableClient(deps: DisableDeps, clientId: string): Promise<Ended> {
  const client = await changeClient(deps, clientId, (before) => ({ disabled: true, ...nextRevision(before) }))
  return { client, ended: await endGrants(deps, clientId) }
}

/**
 * Enables a client. Ends its grants first: a token request that was running when the client was disabled may have added one since.
 * @throws OAuthError `invalid_request` if the client is unknown; CommonError `service_unavailable`
 */
export async function enableClient(deps: DisableDeps, clientId: string): Promise<Ended> {
  const found = await deps.clients.find(clientId)
  const ended = found?.disabled ? await endGrants(deps, clientId) : 0
  const change = (before: OAuthClient) => ({ disabled: false, ...(before.disabled && nextRevision(before)) })
  return { client: await changeClient(deps, clientId, change), ended }
}

/** Ends the tokens of a service client, which are listed nowhere; nothing for other clients. */
function nextRevision({ securityRev }: OAuthClient): Pick<OAuthClient, 'securityRev'> {
  return securityRev === undefined ? {} : { securityRev: securityRev + 1 }
}

async function endGrants({ clientGrants, refreshTokens, clock }: DisableDeps, clientId: string): Promise<number> {
  const now = clock.now()
  const families = await clientGrants.families(clientId, now)
  for (let start = 0; start < families.length; start += TOGETHER) {
    const some = families.slice(start, start + TOGETHER)
    await Promise.all(some.map((familyId) => refreshTokens.revokeFamily({ familyId, now })))
  }
  return families.length
}
