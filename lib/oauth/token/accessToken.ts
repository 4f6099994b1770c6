import { type Authentication, levelOf } from '../../core/authentication.ts'
import {
  type ApiClientId,
  type OrganizationId,
  partsOfApiClientId,
  type ServiceClientId,
  type UserId,
} from '../../core/ids.ts'
import type { OAuthClient } from '../oauthClient.ts'
import { signToken } from './signToken.ts'
import type { TokenDeps } from './tokenRequest.ts'

/** Lifetime of an access token in seconds. It ends earlier if its grant ends: every function checks the grant in each request. */
export const ACCESS_TOKEN_SECONDS = 900

type SigningDeps = Pick<TokenDeps, 'signer' | 'ids' | 'clock' | 'logger' | 'issuer' | 'audience'>

interface AccessTokenGrant {
  client: Pick<OAuthClient, 'clientId' | 'firstParty'>
  userId: UserId
  securityRev: number
  authentication: Authentication
  scope: string
  familyId: string
}

/**
 * Signs an access token (RFC 9068): a JWT of type `at+jwt`.
 * @param grant `client`: the private claim `first_party` says if it is the operator's own. `familyId`: the claim `sid`, the family that the token
 *   is revoked with. `securityRev`: the private claim `rev`, the account's revision when the user signed in. `authentication`: the claims of RFC
 *   9068 §2.2.1.
 * @throws CommonError `service_unavailable` when KMS does not sign
 */
export async function signAccessToken(deps: SigningDeps, grant: AccessTokenGrant): Promise<string> {
  return signClaims(deps, {
    sub: grant.userId,
    client_id: grant.client.clientId,
    ...(grant.client.firstParty && { first_party: true }),
    scope: grant.scope,
    sid: grant.familyId,
    rev: grant.securityRev,
    auth_time: Math.floor(grant.authentication.at / 1000),
    amr: grant.authentication.methods,
    acr: levelOf(grant.authentication),
    ...newFactorClaim(grant.authentication),
    ...idleClaim(grant.authentication),
    ...signOnClaim(grant.authentication),
  })
}

/** The private claim `new_factor_until`, in Unix seconds: until then the second factor of the sign-in is new. */
function newFactorClaim({ newFactorUntil }: Authentication): { new_factor_until?: number } {
  return newFactorUntil === undefined ? {} : { new_factor_until: Math.ceil(newFactorUntil / 1000) }
}

/** The private claim `idle`: the longest pause in the use of the session, in seconds, if it was an hour or longer. */
function idleClaim({ idleSeconds }: Authentication): { idle?: number } {
  return idleSeconds === undefined ? {} : { idle: idleSeconds }
}

/** The private claim `sso`: the id of the organization whose single sign-on the user came by. */
function signOnClaim({ sso }: Authentication): { sso?: OrganizationId } {
  return sso === undefined ? {} : { sso }
}

/**
 * Signs the access token of an API client. The client is its own subject (RFC 9068 §2.2); the private claim `org` is its organization.
 * @throws CommonError `service_unavailable` when KMS does not sign
 */
export async function signApiClientToken(
  deps: SigningDeps,
  { clientId, scope, familyId }: { clientId: ApiClientId; scope: string; familyId: string },
): Promise<string> {
  const { organizationId } = partsOfApiClientId(clientId)
  const client = { sub: clientId, client_id: clientId, client_kind: 'api_client' }
  return signClaims(deps, { ...client, org: organizationId, scope, sid: familyId })
}

/**
 * Signs the access token of a service client, its own subject without an organization; the private claim `rev` is the client's revision.
 * @throws CommonError `service_unavailable` when KMS does not sign
 */
export async function signServiceToken(
  deps: SigningDeps,
  { clientId, scope, familyId, securityRev }: Record<'scope' | 'familyId', string> & ServiceGrant,
): Promise<string> {
  const client = { sub: clientId, client_id: clientId, client_kind: 'service' }
  return signClaims(deps, { ...client, scope, sid: familyId, rev: securityRev })
}

interface ServiceGrant {
  clientId: ServiceClientId
  securityRev: number
}

function signClaims(deps: SigningDeps, own: Readonly<Record<string, unknown>>): Promise<string> {
  const iat = Math.floor(deps.clock.now() / 1000)
  const lifetime = { iat, exp: iat + ACCESS_TOKEN_SECONDS, jti: deps.ids.uuid() }
  return signToken(deps, 'at+jwt', { iss: deps.issuer, aud: deps.audience, ...lifetime, ...own })
}
