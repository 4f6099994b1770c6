import type { Texts } from '../../texts/texts.ts'
import type { PasswordProblem } from '../ports.ts'

/** A problem of a new password in a sentence or more, for people. */
export function passwordProblemText({ problems, weakPassword }: Texts, problem: PasswordProblem): string {
  if (typeof problem === 'string') return problems[problem]
  const { warning, suggestions } = problem
  const reason = warning === undefined ? weakPassword.easyToGuess : weakPassword.warnings[warning]
  return [reason, ...suggestions.map((suggestion) => weakPassword.suggestions[suggestion])].join(' ')
}
