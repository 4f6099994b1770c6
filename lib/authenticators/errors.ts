import { ServiceError } from '../core/errors.ts'

export type AuthenticatorErrorCode =
  | 'authenticator_not_found'
  | 'code_refused'
  | 'email_not_verified'
  | 'enrollment_expired'
  | 'factor_suspended'
  | 'last_way_to_sign_in'
  | 'no_second_factor'
  | 'passkey_already_registered'
  | 'passkey_name_invalid'
  | 'passkey_refused'
  | 'passkey_too_new'
  | 'reset_not_due'
  | 'reset_not_found'
  | 'reset_not_stopped'
  | 'too_many_passkeys'
  | 'totp_exists'

/** A refused operation on what a user proves an identity with. */
export class AuthenticatorError extends ServiceError<AuthenticatorErrorCode> {
  override readonly name = 'AuthenticatorError'
}
