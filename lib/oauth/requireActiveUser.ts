import type { UserId } from '../core/ids.ts'
import type { Account, Accounts } from '../users/ports.ts'
import { OAuthError } from './errors.ts'

/** A grant: when the user gave it, in Unix milliseconds, and the family of its tokens, if it has one already. */
interface UserGrant {
  userId: UserId
  grantedAt: number
  familyId?: string | undefined
}

/**
 * Refuses tokens for a user who does not exist any more, was switched off after the grant, or was signed out everywhere since, as by a
 * new password (ASVS 5.0 §7.4.3); the family of the client that changed the password is kept.
 * @throws OAuthError `invalid_grant`
 */
export async function requireActiveUser(accounts: Pick<Accounts, 'find'>, grant: UserGrant): Promise<void> {
  const message = whyGrantEnded(await accounts.find(grant.userId), grant)
  if (message !== undefined) throw new OAuthError('invalid_grant', { message })
}

/** Why an account's grant has ended; undefined while it is active. */
export function whyGrantEnded(
  account: Account | undefined,
  { grantedAt, familyId }: Omit<UserGrant, 'userId'>,
): string | undefined {
  if (!account?.user.isActive) return 'user is not active'
  const isKept = familyId !== undefined && familyId === account.keptFamily
  return grantedAt < account.signedOutAt && !isKept ? 'user was signed out everywhere' : undefined
}
