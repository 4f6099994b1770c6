import type { User } from '../users/ports.ts'
import type { Addition, UserAuthenticators } from './ports.ts'

/** How long a factor is new: 24 hours. */
const NEW_MS = 24 * 3_600_000

/** Whether a factor is new: it does not sign in alone, nor is it enough to change owners or the address, or to delete. */
export function isNew({ newUntil }: Pick<Addition, 'newUntil'>, now: number): boolean {
  return newUntil !== undefined && now < newUntil
}

/**
 * Until when a factor is new that is added at `now`, in Unix milliseconds: a thief with the password may have added it. Undefined if the
 * user has an older factor, which the addition had to show, or if the account itself is as new.
 */
export function newUntilOf(
  { passkeys, totp }: UserAuthenticators,
  { createdAt }: Pick<User, 'createdAt'>,
  now: number,
): number | undefined {
  const hasOlder = [...passkeys, ...(totp ? [totp] : [])].some((own) => !isNew(own, now))
  return hasOlder || now - createdAt < NEW_MS ? undefined : now + NEW_MS
}
