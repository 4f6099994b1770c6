import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import type { Accounts } from '../../users/ports.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { ApiClientLogins, AuthorizationCodes, OAuthClients, RefreshTokens, TokenSigner } from '../ports.ts'

/** Everything that the token endpoint reads, writes or calls. */
export interface TokenDeps {
  readonly clients: OAuthClients
  readonly apiClients: Pick<ApiClientLogins, 'noteUse'>
  readonly codes: AuthorizationCodes
  readonly refreshTokens: RefreshTokens
  readonly accounts: Pick<Accounts, 'find'>
  readonly signer: TokenSigner
  readonly ids: Ids
  readonly clock: Clock
  readonly logger: Logger
  /** `iss` and `aud` of the access tokens. */
  readonly issuer: string
  readonly audience: string
}

/** A token request (RFC 6749 §4.1.3, §6). An absent member and an undefined one are the same. */
export interface TokenRequest {
  clientId: string
  clientSecret: string
  grantType: string
  code?: string | undefined
  redirectUri?: string | undefined
  codeVerifier?: string | undefined
  refreshToken?: string | undefined
  scope?: string | undefined
}

/** The tokens of a granted request (RFC 6749 §5.1). */
export interface IssuedTokens {
  accessToken: string
  /** Seconds. */
  expiresIn: number
  /** Undefined where the client may not use refresh tokens. */
  refreshToken: string | undefined
  /** Undefined where the scope is without `openid`. */
  idToken: string | undefined
  /** Space-separated; empty where none was granted. */
  scope: string
}

/**
 * Issues tokens to an authenticated client by one grant.
 * @throws OAuthError for a refusal, CommonError `service_unavailable`
 */
export type Grant = (deps: TokenDeps, client: OAuthClient, request: TokenRequest) => Promise<IssuedTokens>
