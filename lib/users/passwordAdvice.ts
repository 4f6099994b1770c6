import * as z from 'zod'

/** What makes a password easy to guess, by zxcvbn's names; `lib/texts` has a sentence for each. */
const warnings = [
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
] as const

/** What would make it harder to guess. */
const suggestions = [
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
] as const

/** Why a password is weak, where that is known, and what to do about it: of a closed set, so that nothing of the password is in it. */
export const passwordAdvice = z.object({
  warning: z.enum(warnings).optional(),
  suggestions: z.array(z.enum(suggestions)).readonly(),
})
export type PasswordAdvice = Readonly<z.infer<typeof passwordAdvice>>
