import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../log/logger.ts'
import type { Accounts } from '../../users/ports.ts'
import type { ClientCredentials } from '../client/authenticateClient.ts'
import type { AccessTokenReader, OAuthClients, RefreshTokens } from '../ports.ts'

export interface TokenInspectionDeps {
  readonly clients: OAuthClients
  readonly refreshTokens: Pick<RefreshTokens, 'find' | 'isFamilyRevoked' | 'revokeFamily'>
  readonly accounts: Pick<Accounts, 'find'>
  readonly accessTokens: AccessTokenReader
  readonly clock: Clock
  readonly logger: Logger
  /** `iss` of every token. */
  readonly issuer: string
}

/**
 * A request to introspect or revoke a token. `token_type_hint` is ignored (RFC 7009 §2.1 allows that): if the token has dots, it is read as an
 * access token, otherwise as a refresh token.
 */
export interface TokenInquiry extends ClientCredentials {
  token: string
}

/** Refresh tokens have no dot. */
export function looksLikeAccessToken(token: string): boolean {
  return token.includes('.')
}
