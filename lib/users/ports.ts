import type { UserId } from '../core/ids.ts'

/** A person with an account. */
export interface User {
  id: UserId
  email: string
  /** As the user writes it; unique without regard to case. */
  username: string
  isActive: boolean
  isVerified: boolean
  isSuperuser: boolean
  /** Unix milliseconds. */
  createdAt: number
}

/** `changed_meanwhile`: the user is not called `from` any more (or is gone); read again. */
export type RenameOutcome = 'renamed' | 'username_taken' | 'changed_meanwhile'

export type CreateUserOutcome = 'created' | 'already_exists' | 'username_taken'

export interface Users {
  find(userId: UserId): Promise<User | undefined>
  /** Gives the user another name, and the old one back to the world, in one transaction: never two users with one name. */
  rename(userId: UserId, names: { from: string; to: string }): Promise<RenameOutcome>
  /** Stores a new user under a free name. A user of the same id is left as it is: safe to repeat. */
  create(user: User): Promise<CreateUserOutcome>
}
