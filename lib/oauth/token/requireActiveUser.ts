import { type Grant, whyGrantEnded } from '../../core/grant.ts'
import type { UserId } from '../../core/ids.ts'
import type { Account, Accounts } from '../../users/ports.ts'
import { OAuthError } from '../errors.ts'

/**
 * Refuses tokens for a user who does not exist any more, is switched off, or was signed out everywhere since the grant, as by a
 * new password (ASVS 5.0 §7.4.3); the family of the client that changed the password is kept. Whether the family was revoked, the
 * caller checks.
 * @throws OAuthError `invalid_grant`
 */
export async function requireActiveUser(
  accounts: Pick<Accounts, 'find'>,
  grant: Grant & { userId: UserId },
): Promise<void> {
  const message = whyEnded(grant, await accounts.find(grant.userId))
  if (message !== undefined) throw new OAuthError('invalid_grant', { message })
}

/** Why a grant has ended by what its account says; undefined while it is live. */
export function whyEnded(grant: Grant, account: Account | undefined, isFamilyRevoked = false): string | undefined {
  return whyGrantEnded(grant, account && { ...account, isActive: account.user.isActive }, isFamilyRevoked)
}
