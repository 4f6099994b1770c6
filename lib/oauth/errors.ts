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

/** The reasons of `invalid_grant` that a caller may learn. The others would say whether a stolen code or token is good. */
export type GrantReason =
  | 'code_verifier_differs'
  | 'no_code_challenge'
  | 'redirect_uri_differs'
  | 'refresh_token_expired'

/** A parameter that has no acceptable value. */
export interface RefusedParameter {
  readonly name: string
  readonly fault: 'missing' | 'malformed'
}

/** A request that was refused. `message` is the reason for the log; the caller gets the text of the code, the parameter or the reason. */
export class OAuthError extends ServiceError<OAuthErrorCode> {
  override readonly name = 'OAuthError'
  readonly parameter: RefusedParameter | undefined
  readonly reason: GrantReason | undefined

  constructor(
    code: OAuthErrorCode,
    options: { message?: string; cause?: unknown; parameter?: RefusedParameter; reason?: GrantReason } = {},
  ) {
    super(code, options)
    this.parameter = options.parameter
    this.reason = options.reason
  }
}

/** `invalid_request` for a parameter that the request lacks. */
export function missingParameter(name: string): OAuthError {
  return new OAuthError('invalid_request', { message: `no ${name}`, parameter: { name, fault: 'missing' } })
}

/** A refused operation on a user's sessions. */
export class SessionError extends ServiceError<SessionErrorCode> {
  override readonly name = 'SessionError'
}

export type SessionErrorCode = 'session_not_found' | 'consent_not_found'
