import type { Caller } from '../core/identity.ts'
import type { MailDeps } from './accountDeps.ts'
import { emailKey } from './emailKey.ts'
import { UserError } from './errors.ts'
import type { Account } from './ports.ts'
import { throttle } from './throttle.ts'

/**
 * Returns the signed-in user's account if the password is right. Wrong ones count as sign-in attempts.
 * @throws UserError `wrong_password`; TooManyAttemptsError; CommonError `invalid_token`, `service_unavailable`
 */
export async function withCurrentPassword(
  deps: Pick<MailDeps, 'accounts' | 'passwords' | 'attempts' | 'clock'>,
  caller: Caller,
  password: string,
): Promise<Account> {
  const account = await deps.accounts.findCaller(caller)
  const guesses = { kind: 'sign_in', subject: emailKey(account.user.email) } as const
  await throttle(deps, guesses)
  const { isRight } = await deps.passwords.check(password, account.passwordHash)
  if (!isRight) throw new UserError('wrong_password')
  await deps.attempts.forget(guesses)
  return account
}
