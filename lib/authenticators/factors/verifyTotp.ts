import type { UserId } from '../../core/ids.ts'
import { countGuess } from '../../users/guess.ts'
import type { TotpDeps } from '../deps.ts'
import { AuthenticatorError } from '../errors.ts'
import type { CodeBrowser } from '../ports.ts'

/** NIST SP 800-63B-4 §3.2.2: at most 100 consecutive failures of an authenticator. */
export const MOST_FAILURES = 100

/** A code as it was typed, after a right password. */
interface TypedCode {
  readonly userId: UserId
  /** The account's revision: failures under an earlier one count no longer. */
  readonly securityRev: number
  readonly code: string
  readonly browser: CodeBrowser
}

/**
 * Accepts a code of a user's TOTP as the second factor. Each time step works once; it may differ from the current step by 1, and must come
 * after the last accepted step. Tries are counted before they are made: for the browser, whose count fades, and for the TOTP, which is
 * suspended after 100 failures in a row until the account has another revision or `forgiveFailedCodes` is called. Browsers that the account
 * knows are counted apart from others, so a person with the password cannot lock them out. Success voids a request to remove the factors.
 * @throws AuthenticatorError `code_refused`, also if the user has no TOTP; `factor_suspended`; TooManyAttemptsError; CommonError
 *   `service_unavailable`, after which the code may be used up: the next code works
 */
export async function verifyTotp(deps: TotpDeps, { userId, securityRev, code, browser }: TypedCode): Promise<void> {
  const tries = [{ kind: 'second_factor', subject: `${userId} ${browser.id}` }] as const
  const at = await countGuess(deps, tries)
  // A try that fades by itself is no reason to refuse.
  const takeBack = () => deps.guesses.takeBack({ tries, at }).catch(() => undefined)
  const { totpAuthenticators, totp, totpCipher, clock } = deps
  const current = await totpAuthenticators.find(userId)
  if (current === undefined) throw new AuthenticatorError('code_refused')
  const from = browser.kind
  if ((await totpAuthenticators.countTry(userId, current, { securityRev, from, limit: MOST_FAILURES })) === 'full') {
    await takeBack()
    throw new AuthenticatorError('factor_suspended')
  }
  const now = clock.now()
  const step = totp.stepOf(await totpCipher.decrypt(userId, current.cipher), code, now)
  const isRight =
    step !== undefined && (await totpAuthenticators.takeStep(userId, current, { step, now, from })) === 'taken'
  if (!isRight) throw new AuthenticatorError('code_refused')
  await takeBack()
}

/**
 * Ends the suspension of a user's TOTP, and the failures that lead to it, after the user has shown another factor. Never throws: that factor
 * may be used up by now, and the next success repeats it.
 */
export async function forgiveFailedCodes(
  { totpAuthenticators }: Pick<TotpDeps, 'totpAuthenticators'>,
  userId: UserId,
): Promise<void> {
  try {
    const totp = await totpAuthenticators.find(userId)
    if (totp?.failedAtRev !== undefined) await totpAuthenticators.forgive(userId)
  } catch {
    // The suspension stays until then.
  }
}
