import { isApiError } from '../../../client/src/index.ts'
import type { Texts } from '../texts/en.ts'

/**
 * The problems of a form's fields, by the name of the field, from the list of a 422; `address.country` if it is inside
 * an object. A wrong password is that of `current_password`, a name that is taken that of `username`. Empty for any other failure.
 * @param words the text for a field, by its name, if it is neither empty, too short nor too long
 */
export function fieldProblems(
  error: unknown,
  { problems: { fields, codes } }: Pick<Texts, 'problems'>,
  words: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  if (!isApiError(error)) return {}
  if (error.code === 'wrong_password') return { current_password: codes.wrong_password }
  if (error.code === 'username_already_exists') return { username: codes.username_already_exists }
  if (error.status !== 422) return {}
  const { missing, string_too_short, string_too_long, other } = fields
  const known: Partial<Record<string, string>> = { missing, string_too_short, string_too_long }
  return Object.fromEntries(
    error.problems.map(({ loc, type }) => {
      const name = loc.slice(1).join('.')
      return [name, known[type] ?? words[name] ?? other]
    }),
  )
}
