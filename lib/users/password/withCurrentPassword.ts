import type { Caller } from '../../core/identity.ts'
import { UserError } from '../errors.ts'
import { countGuess, type GuessDeps } from '../guess.ts'
import type { Account, Accounts, Passwords } from '../ports.ts'

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
