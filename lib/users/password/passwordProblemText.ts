import type { Texts } from '../../texts/texts.ts'
import type { PasswordProblem } from '../ports.ts'

/** Explains to a person, in one or more sentences, what is wrong with a new password. */
export function passwordProblemText({ problems, weakPassword }: Texts, problem: PasswordProblem): string {
  if (typeof problem === 'string') return problems[problem]
  const { warning, suggestions } = problem
  const reason = warning === undefined ? weakPassword.easyToGuess : weakPassword.warnings[warning]
  return [reason, ...suggestions.map((suggestion) => weakPassword.suggestions[suggestion])].join(' ')
}
