import * as z from 'zod/mini'

/** What makes a password easy to guess, by zxcvbn's names; `lib/texts` has a sentence for each. */
export const passwordWarning = z.enum([
  'straightRow',
  'keyPattern',
  'simpleRepeat',
  'extendedRepeat',
  'sequences',
  'recentYears',
  'dates',
  'topTen',
  'topHundred',
  'common',
  'similarToCommon',
  'wordByItself',
  'namesByThemselves',
  'commonNames',
  'userInputs',
])

/** How to make the password harder to guess. */
export const passwordSuggestion = z.enum([
  'l33t',
  'reverseWords',
  'allUppercase',
  'capitalization',
  'dates',
  'recentYears',
  'associatedYears',
  'sequences',
  'repeated',
  'longerKeyboardPattern',
  'anotherWord',
  'useWords',
  'noNeed',
])

/** Why a password is weak, if known, and what to do about it. Both are from closed sets, so they reveal nothing of the password. */
const passwordAdvice = z.object({
  warning: z.optional(passwordWarning),
  suggestions: z.readonly(z.array(passwordSuggestion)),
})
export type PasswordAdvice = Readonly<z.infer<typeof passwordAdvice>>
