import type { Branding } from '../core/branding.ts'
import { reasonOf } from '../core/errors.ts'
import type { Logger } from '../log/logger.ts'
import { texts } from '../texts/texts.ts'
import { contextWords, type PasswordContext } from './contextWords.ts'
import { RefusedPasswordError } from './errors.ts'
import { lengthProblem } from './newPassword.ts'
import { passwordProblemText } from './passwordProblemText.ts'
import type { PasswordProblem, PasswordStrength, PwnedPasswords } from './ports.ts'

/** Dependencies of judging a new password. */
export interface PasswordDeps {
  readonly strength: PasswordStrength
  /** Not asked where left out. */
  readonly pwnedPasswords?: PwnedPasswords | undefined
  readonly logger: Logger
  readonly branding: Pick<Branding, 'name'>
}

/**
 * The problem of a new password, which is judged in its NFC form; undefined for a good one. Where the list of breached passwords cannot be
 * asked, none is on it: no one is kept from a new password by another service's failure.
 */
export async function passwordProblem(
  deps: PasswordDeps,
  password: string,
  context: PasswordContext,
): Promise<PasswordProblem | undefined> {
  const problem = lengthProblem(password)
  if (problem !== undefined) return problem
  const normalized = password.normalize('NFC')
  const weakness = await deps.strength.weaknessOf(normalized, contextWords(context, deps.branding.name))
  return weakness ?? ((await isBreached(deps, normalized)) ? 'password_breached' : undefined)
}

async function isBreached({ pwnedPasswords, logger }: PasswordDeps, password: string): Promise<boolean> {
  try {
    return (await pwnedPasswords?.has(password)) ?? false
  } catch (error) {
    logger.warn('Breached passwords not asked', { reason: reasonOf(error) })
    return false
  }
}

/**
 * @param field the password's name in the request
 * @throws RefusedPasswordError for a password with a problem
 */
export async function requireGoodPassword(
  deps: PasswordDeps,
  { password, field, ...context }: PasswordContext & { readonly password: string; readonly field: string },
): Promise<void> {
  const problem = await passwordProblem(deps, password, context)
  if (problem === undefined) return
  throw new RefusedPasswordError({ field, problem, reason: passwordProblemText(texts.en, problem) })
}
