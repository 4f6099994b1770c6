import { ServiceError } from '../core/errors.ts'
import type { AccountLink, EmailTaken, PasswordProblem } from './ports.ts'

export type UserErrorCode =
  | 'username_already_exists'
  | EmailTaken
  | 'wrong_credentials'
  | 'wrong_password'
  | 'link_invalid'
  | 'too_many_attempts'
  | 'sole_owner'
  | 'organization_subscribed'
  | 'too_many_organizations'

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

/** A new password that is too short, too long, easy to guess or known from a breach: a validation problem of a field. */
export class RefusedPasswordError extends ServiceError<'password_refused'> {
  override readonly name = 'RefusedPasswordError'
  /** The password's name in the request. */
  readonly field: string
  readonly problem: PasswordProblem
  /** The problem in English, for people. Holds nothing of the password. */
  readonly reason: string

  constructor({ field, problem, reason }: { field: string; problem: PasswordProblem; reason: string }) {
    super('password_refused')
    this.field = field
    this.problem = problem
    this.reason = reason
  }
}
