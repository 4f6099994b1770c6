import { reasonOf } from '../../core/errors.ts'
import { type Texts, texts } from '../../texts/texts.ts'
import type { PasswordDeps } from '../deps.ts'
import { RefusedPasswordError } from '../errors.ts'
import type { PasswordProblem } from '../ports.ts'
import { lengthProblem } from './newPassword.ts'

/**
 * Returns the problem of a new password, which is judged in its NFC form; undefined if it is good. If the list of breached passwords is
 * unavailable, the password passes that check: a failure of another service must not block people.
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

/** Words a password must not contain: the user's name and email, and the organization's name. */
export interface PasswordContext {
  readonly email: string
  readonly username: string
  /** The organization that invited the user. */
  readonly organization?: string | undefined
}

/** Shorter words occur in passwords by chance. */
const MIN_LETTERS = 3

/** People and names have fewer words. The limit keeps the estimate fast for any name. */
const MAX_WORDS = 128

/** Signs that people put between words. zxcvbn scores three parts, two words and a sign between them, as good. */
const joiners = ['', ' ', '-', '_', '.'] as const

/**
 * The words that an attacker who knows the person tries first, in lower case (ASVS 5.0 §6.2.11): each name as a whole, in its parts, and
 * with other signs between its words.
 */
function contextWords({ email, username, organization = '' }: PasswordContext, service: string): string[] {
  const names = [email, username, organization, service].map((name) => name.normalize('NFC').toLowerCase())
  const phrases = names.flatMap((name) => [name, ...name.split('@'), ...name.split(/[\s@.]+/)])
  const words = phrases.flatMap((phrase) => {
    const parts = phrase.split(/[^\p{L}\p{M}\p{N}]+/u)
    return [phrase, ...joiners.map((joiner) => parts.join(joiner)), ...parts]
  })
  return [...new Set(words)].filter((word) => [...word].length >= MIN_LETTERS).slice(0, MAX_WORDS)
}

/** Explains to a person, in one or more sentences, what is wrong with a new password. */
export function passwordProblemText({ problems, weakPassword }: Texts, problem: PasswordProblem): string {
  if (typeof problem === 'string') return problems[problem]
  const { warning, suggestions } = problem
  const reason = warning === undefined ? weakPassword.easyToGuess : weakPassword.warnings[warning]
  return [reason, ...suggestions.map((suggestion) => weakPassword.suggestions[suggestion])].join(' ')
}
