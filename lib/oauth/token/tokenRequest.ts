import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import type { Accounts } from '../../users/ports.ts'
import type {
  ApiClientLogins,
  AuthorizationCodes,
  DeviceAuthorizations,
  OAuthClients,
  RefreshTokens,
  TokenSigner,
} from '../ports.ts'

export interface TokenDeps {
  readonly clients: OAuthClients
  readonly apiClients: Pick<ApiClientLogins, 'noteUse'>
  readonly codes: AuthorizationCodes
  readonly devices: Pick<DeviceAuthorizations, 'find' | 'notePoll'>
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

/** A token request (RFC 6749 §4.1.3, §6, RFC 8628 §3.4). An undefined member counts as absent. */
export interface TokenRequest {
  clientId: string
  clientSecret: string
  grantType: string
  code?: string | undefined
  deviceCode?: string | undefined
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
  /** Undefined if the client may not use refresh tokens. */
  refreshToken: string | undefined
  /** Undefined if the scope lacks `openid`. */
  idToken: string | undefined
  /** Space-separated; empty if no scope was granted. */
  scope: string
}
