import { ServiceError } from '../core/errors.ts'
import type { AccountLink } from './ports.ts'

export type UserErrorCode =
  | 'username_already_exists'
  | 'email_already_exists'
  | 'wrong_credentials'
  | 'wrong_password'
  | 'link_invalid'
  | 'too_many_attempts'

/** A refused operation on an account. */
export class UserError extends ServiceError<UserErrorCode> {
  override readonly name: string = 'UserError'
}

/** Too many attempts for one account or from one address. The next one is allowed after `retryAfterSeconds`, at least 1. */
export class TooManyAttemptsError extends UserError {
  override readonly name = 'TooManyAttemptsError'
  override readonly code = 'too_many_attempts'
  readonly retryAfterSeconds: number

  constructor({ retryAfterSeconds }: { retryAfterSeconds: number }) {
    super('too_many_attempts')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The link of a mail that works no more. */
export class LinkInvalidError extends UserError {
  override readonly name = 'LinkInvalidError'
  /** The link, for the page that is shown to who holds it; undefined for an unknown one. Never part of an answer of the API. */
  readonly link: Readonly<AccountLink> | undefined

  constructor(message: string, link?: AccountLink) {
    super('link_invalid', { message })
    this.link = link
  }
}

/** Why a common password is refused, for people. */
export const commonPasswordReason = 'This password is one of the most common ones; choose another'

/** A new password on the list of common ones. `field` is its name in the request: the answer is a validation problem there. */
export class CommonPasswordError extends ServiceError<'common_password'> {
  override readonly name = 'CommonPasswordError'
  readonly field: string

  constructor({ field }: { field: string }) {
    super('common_password')
    this.field = field
  }
}
