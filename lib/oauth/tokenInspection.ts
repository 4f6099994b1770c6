import type { Clock } from '../core/clock.ts'
import type { Logger } from '../log/logger.ts'
import type { Accounts } from '../users/ports.ts'
import type { ClientCredentials } from './authenticateClient.ts'
import type { AccessTokenReader, OAuthClients, RefreshTokens } from './ports.ts'

/** Everything that revocation and introspection read, write or ask. */
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
 * A client's question or wish about one token. Its `token_type_hint` is not looked at: what is three parts with dots between them is
 * read as an access token, anything else as a refresh token (RFC 7009 §2.1 lets a server find out by itself).
 */
export interface TokenInquiry extends ClientCredentials {
  token: string
}

/** Whether the text can only be an access token: refresh tokens have no dot. */
export function looksLikeAccessToken(token: string): boolean {
  return token.includes('.')
}
