import { type Grant, whyGrantEnded } from '../../core/grant.ts'
import type { UserId } from '../../core/ids.ts'
import type { Account, Accounts, User } from '../../users/ports.ts'
import { OAuthError } from '../errors.ts'

/**
 * The user of a grant. Refuses tokens if the user does not exist any more, is switched off, or was signed out everywhere since the grant, for example by a new
 * password (ASVS 5.0 §7.4.3). If a client changed the password, its family is kept. The caller checks if the family was revoked.
 * @throws OAuthError `invalid_grant`
 */
export async function requireActiveUser(
  accounts: Pick<Accounts, 'find'>,
  grant: Grant & { userId: UserId },
): Promise<User> {
  const account = await accounts.find(grant.userId)
  const message = whyEnded(grant, account)
  if (account === undefined || message !== undefined)
    throw new OAuthError('invalid_grant', { message: message ?? 'no account' })
  return account.user
}

/** Why a grant has ended, according to its account; undefined while it is live. */
export function whyEnded(grant: Grant, account: Account | undefined, isFamilyRevoked = false): string | undefined {
  return whyGrantEnded(grant, account && { ...account, isActive: account.user.isActive }, isFamilyRevoked)
}
