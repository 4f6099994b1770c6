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

/** Too many attempts for one account or from one source IP. The next attempt is allowed after `retryAfterSeconds`, at least 1. */
export class TooManyAttemptsError extends UserError {
  override readonly name = 'TooManyAttemptsError'
  override readonly code = 'too_many_attempts'
  readonly retryAfterSeconds: number

  constructor({ retryAfterSeconds }: { retryAfterSeconds: number }) {
    super('too_many_attempts')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A link from a mail that is no longer valid. */
export class LinkInvalidError extends UserError {
  override readonly name = 'LinkInvalidError'
  /** The link, for the page that its holder sees; undefined if it is unknown. Never part of an API answer. */
  readonly link: Readonly<AccountLink> | undefined

  constructor(message: string, link?: AccountLink) {
    super('link_invalid', { message })
    this.link = link
  }
}

/** An authenticator that a reset of the password may not remove. The API reports it as a validation problem of its place in the list. */
export class RefusedRemovalError extends ServiceError<'removal_refused'> {
  override readonly name = 'RefusedRemovalError'
  /** Its place in the request, from 0. */
  readonly index: number

  constructor(index: number) {
    super('removal_refused')
    this.index = index
  }
}

/**
 * A new password that is too short, too long, easy to guess or known from a breach. The API reports it as a validation problem of a field.
 */
export class RefusedPasswordError extends ServiceError<'password_refused'> {
  override readonly name = 'RefusedPasswordError'
  /** The password's name in the request. */
  readonly field: string
  readonly problem: PasswordProblem
  /** The problem in English, for people. Never contains a part of the password. */
  readonly reason: string

  constructor({ field, problem, reason }: { field: string; problem: PasswordProblem; reason: string }) {
    super('password_refused')
    this.field = field
    this.problem = problem
    this.reason = reason
  }
}
