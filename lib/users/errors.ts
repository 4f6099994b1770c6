import { ServiceError } from '../core/errors.ts'

export type UserErrorCode =
  | 'username_already_exists'
  | 'email_already_exists'
  | 'wrong_credentials'
  | 'wrong_password'
  | 'link_invalid'
  | 'too_many_attempts'

/** Something about an account that was refused. */
export class UserError extends ServiceError<UserErrorCode> {
  override readonly name: string = 'UserError'
}

/** Too many attempts by one account or from one address; `retryAfterSeconds` from now, at least 1, the next one is looked at. */
export class TooManyAttemptsError extends UserError {
  override readonly name = 'TooManyAttemptsError'
  override readonly code = 'too_many_attempts'
  readonly retryAfterSeconds: number

  constructor({ retryAfterSeconds }: { retryAfterSeconds: number }) {
    super('too_many_attempts')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** What is wrong with a `CommonPasswordError`'s password, for people. */
export const commonPasswordReason = 'This password is one of the most common ones; choose another'

/** A new password that too many people have; `field` is its name in the request, for it is answered as that field's problem. */
export class CommonPasswordError extends ServiceError<'common_password'> {
  override readonly name = 'CommonPasswordError'
  readonly field: string

  constructor({ field }: { field: string }) {
    super('common_password')
    this.field = field
  }
}
