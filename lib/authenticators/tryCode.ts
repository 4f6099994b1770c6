import type { UserId } from '../core/ids.ts'
import { countGuess } from '../users/guess.ts'
import type { CodeDeps } from './deps.ts'
import { AuthenticatorError } from './errors.ts'

/**
 * Counts a try of a user's code before it is made, and takes it back once it was right. Tries are counted for the account, which is reached
 * after a right password or in a session only, so that strangers cannot use them up.
 * @param isRight uses the code up where it is
 * @throws AuthenticatorError `code_refused`; TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function tryCode(deps: CodeDeps, userId: UserId, isRight: () => Promise<boolean>): Promise<void> {
  const tries = [{ kind: 'second_factor', subject: userId }] as const
  const at = await countGuess(deps, tries)
  if (!(await isRight())) throw new AuthenticatorError('code_refused')
  // The code is used up: a failure from here on must not take that for a refusal. The try fades by itself.
  await deps.guesses.takeBack({ tries, at }).catch(() => undefined)
}
