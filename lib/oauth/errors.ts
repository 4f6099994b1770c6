import { ServiceError } from '../core/errors.ts'

/** Error codes of the token endpoint: RFC 6749 §5.2. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'

/** A token request that was refused. `message` says why for the log; the caller gets the code's one constant sentence. */
export class OAuthError extends ServiceError<OAuthErrorCode> {
  override readonly name = 'OAuthError'
}
