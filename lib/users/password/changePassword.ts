import { CommonError } from '../../core/errors.ts'
import type { Caller } from '../../core/identity.ts'
import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import type { AccountDeps } from '../deps.ts'
import { UserError } from '../errors.ts'
import { countGuess, type GuessDeps } from '../guess.ts'
import { passwordChanged } from '../mails.ts'
import type { Account, Accounts, Passwords } from '../ports.ts'
import { requireGoodPassword } from './goodPassword.ts'

/**
 * Sets a new password, ends all sessions except the caller's, and sends the user a notice. Voids the links in earlier mails.
 * @throws RefusedPasswordError; UserError `wrong_password`; TooManyAttemptsError; CommonError `invalid_token`; `service_unavailable`, also
 *   if the account changes at the same time
 */
export async function changePassword(
  deps: AccountDeps,
  caller: Caller,
  { currentPassword, newPassword, language }: { currentPassword: string; newPassword: string; language: Language },
): Promise<void> {
  const account = await withCurrentPassword(deps, caller, currentPassword)
  await requireGoodPassword(deps, { password: newPassword, field: 'new_password', ...account.user })
  const passwordHash = await deps.passwords.hash(newPassword)
  const to = { passwordHash, keptFamily: caller.familyId, setAt: deps.clock.now() }
  if ((await deps.accounts.changePassword(account, to)) === 'conflict') {
    throw new CommonError('service_unavailable', { message: 'account changed concurrently' })
  }
  await deps.activity.record(caller.userId, 'password_changed')
  const { branding, accountUrl } = deps
  await notify(deps, passwordChanged({ branding, language }, { to: account.user.email, accountUrl }))
}

/**
 * Returns the signed-in user's account if the password is right. Tries are counted for the user's session only, so strangers cannot use
 * them up.
 * @throws UserError `wrong_password`; TooManyAttemptsError; CommonError `invalid_token`, `service_unavailable`
 */
export async function withCurrentPassword(
  deps: GuessDeps & { readonly accounts: Pick<Accounts, 'findCaller'>; readonly passwords: Pick<Passwords, 'check'> },
  caller: Caller,
  password: string,
): Promise<Account> {
  const account = await deps.accounts.findCaller(caller)
  const tries = [{ kind: 'session', subject: `${caller.userId} ${caller.familyId ?? ''}` }] as const
  const at = await countGuess(deps, tries)
  const { isRight } = await deps.passwords.check(password, account.passwordHash)
  if (!isRight) throw new UserError('wrong_password')
  await deps.guesses.takeBack({ tries, at })
  return account
}
