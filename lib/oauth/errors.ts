import { ServiceError } from '../core/errors.ts'

/** Error codes of the token endpoint: RFC 6749 §5.2, and RFC 8628 §3.5 for devices. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'

/** A request that was refused. `message` is the reason for the log; the caller gets the constant text of the code. */
export class OAuthError extends ServiceError<OAuthErrorCode> {
  override readonly name = 'OAuthError'
}

/** A refused operation on a user's sessions. */
export class SessionError extends ServiceError<SessionErrorCode> {
  override readonly name = 'SessionError'
}

export type SessionErrorCode = 'session_not_found' | 'consent_not_found'
