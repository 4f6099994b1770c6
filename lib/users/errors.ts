import { ServiceError } from '../core/errors.ts'

export type UserErrorCode = 'username_already_exists'

/** A change of a user's profile that was refused. */
export class UserError extends ServiceError<UserErrorCode> {
  override readonly name = 'UserError'
}
