import { createHash } from 'node:crypto'
import { type Authentication, levelOf } from '../../core/authentication.ts'
import { scopesIn } from '../../core/scopes.ts'
import type { User } from '../../users/ports.ts'
import { signToken } from './signToken.ts'
import type { TokenDeps } from './tokenRequest.ts'
import { userInfoOf } from './userInfo.ts'

/** Lifetime of an id_token in seconds: clients read it as soon as they get it. */
const ID_TOKEN_SECONDS = 900

interface IdTokenGrant {
  clientId: string
  user: User
  authentication: Authentication
  scope: string
  familyId: string
  accessToken: string
  /** Of the authorization request; undefined if the request had no nonce, and in every refresh (OpenID Connect Core §12.2). */
  nonce?: string | undefined
}

/**
 * Signs the id_token of a sign-in (OpenID Connect Core §2, §3.1.3.6); undefined if the scope lacks `openid`. It says who signed in, when and
 * how, with the claims of `profile` and `email` that UserInfo has (§5.4): some clients never ask there. The claim `sid` is the family of the tokens, as in the access token.
 * @throws CommonError `service_unavailable` when KMS does not sign
 */
export async function signIdToken(
  deps: Pick<TokenDeps, 'signer' | 'clock' | 'logger' | 'issuer'>,
  grant: IdTokenGrant,
): Promise<string | undefined> {
  if (!scopesIn(grant.scope).includes('openid')) return undefined
  const issuedAt = Math.floor(deps.clock.now() / 1000)
  return signToken(deps, 'JWT', {
    iss: deps.issuer,
    ...userInfoOf(grant.user, grant.scope),
    aud: grant.clientId,
    iat: issuedAt,
    exp: issuedAt + ID_TOKEN_SECONDS,
    auth_time: Math.floor(grant.authentication.at / 1000),
    amr: grant.authentication.methods,
    acr: levelOf(grant.authentication),
    at_hash: hashOf(grant.accessToken),
    sid: grant.familyId,
    ...(grant.nonce !== undefined && { nonce: grant.nonce }),
  })
}

/** The left half of the token's SHA-256 hash, as RS256 requires it (OpenID Connect Core §3.1.3.6). */
function hashOf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
}
