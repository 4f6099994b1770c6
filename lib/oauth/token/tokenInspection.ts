import type { ClientCredentials } from '../client/authenticateClient.ts'
import type { AccessTokenReader, RefreshTokens } from '../ports.ts'
import type { TokenDeps } from './tokenRequest.ts'

export interface TokenInspectionDeps extends Pick<TokenDeps, 'clients' | 'accounts' | 'clock' | 'logger' | 'issuer'> {
  readonly refreshTokens: Pick<RefreshTokens, 'find' | 'isFamilyRevoked' | 'revokeFamily'>
  readonly accessTokens: AccessTokenReader
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
