import { isRegistered, type RedirectPolicy } from '../client/redirectUri.ts'
import { OAuthError } from '../errors.ts'
import type { AuthorizationCode } from '../ports.ts'
import { digestSecret } from '../secretDigest.ts'
import { codeChallengePattern } from '../token/pkce.ts'
import type { TokenDeps } from '../token/tokenRequest.ts'

/** Lifetime of an authorization code: the shortest that RFC 9700 and ASVS 5.0 §10.4 require. */
const CODE_MILLISECONDS = 60_000

/** What the user has allowed (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export interface AuthorizationGrant extends Omit<AuthorizationCode, 'scope' | 'validUntil' | 'familyId'> {
  scope?: string | undefined
  codeChallengeMethod?: string | undefined
}

/**
 * Issues an authorization code, valid once and for 60 seconds. The caller has authenticated the user.
 * @throws OAuthError `unauthorized_client` for an unknown client, `invalid_request` for an unregistered redirect_uri or a
 *   challenge that is not S256
 */
export async function issueAuthorizationCode(
  deps: Pick<TokenDeps, 'clients' | 'codes' | 'ids' | 'clock'> & { readonly redirectPolicy: RedirectPolicy },
  grant: AuthorizationGrant,
): Promise<string> {
  const { clientId, userId, securityRev, authentication, scope = '' } = grant
  const { redirectUri, codeChallenge, codeChallengeMethod, nonce, sessionId, allowedIn, browser, needsConsent } = grant
  const client = await deps.clients.find(clientId)
  if (client?.disabled || !client?.grantTypes.includes('authorization_code'))
    throw new OAuthError('unauthorized_client')
  if (redirectUri !== undefined && !isRegistered(client.redirectUris, redirectUri, deps.redirectPolicy))
    throw new OAuthError('invalid_request', { message: 'redirect_uri is not registered' })
  if (codeChallenge === undefined ? codeChallengeMethod !== undefined : codeChallengeMethod !== 'S256')
    throw new OAuthError('invalid_request', { message: 'code_challenge_method must be S256' })
  if (codeChallenge !== undefined && !codeChallengePattern.test(codeChallenge))
    throw new OAuthError('invalid_request', { message: 'code_challenge is not of S256' })

  if (codeChallenge === undefined && client.type === 'public')
    throw new OAuthError('invalid_request', { message: 'a public client must use PKCE' })

  const code = deps.ids.secret()
  const validUntil = deps.clock.now() + CODE_MILLISECONDS
  const issued = { clientId, userId, securityRev, authentication, scope, redirectUri, codeChallenge, nonce, validUntil }
  await deps.codes.issue(digestSecret(code), { ...issued, sessionId, allowedIn, browser, needsConsent })
  return code
}
