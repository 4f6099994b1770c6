import type { UserId } from '../core/ids.ts'
import { countGuess } from '../users/guess.ts'
import type { CodeDeps } from './deps.ts'
import { AuthenticatorError } from './errors.ts'

/**
 * Counts a try of a user's code before it is made, and takes it back if it was right. Tries count for the account. They need a right
 * password or a session, so strangers cannot use them up.
 * @param isRight uses the code up if it is right
 * @throws AuthenticatorError `code_refused`; TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function tryCode(deps: CodeDeps, userId: UserId, isRight: () => Promise<boolean>): Promise<void> {
  const tries = [{ kind: 'second_factor', subject: userId }] as const
  const at = await countGuess(deps, tries)
  if (!(await isRight())) throw new AuthenticatorError('code_refused')
  // The code is used up: if this call fails, that is no refusal. The try decays by itself.
  await deps.guesses.takeBack({ tries, at }).catch(() => undefined)
}
