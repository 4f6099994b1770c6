import { isApiError } from '../../../client/src/index.ts'

const texts: Readonly<Record<string, string>> = {
  missing: 'Please fill this in.',
  string_too_short: 'This is too short.',
  string_too_long: 'This is too long.',
}

/**
 * The problems of a form's fields, by the name of the field, from the list of a 422: `address.country` for one inside an object.
 * Empty for any other failure.
 * @param words what to say of a field in place of the API's sentence, by its name
 */
export function fieldProblems(
  error: unknown,
  words: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  if (!isApiError(error) || error.status !== 422) return {}
  return Object.fromEntries(
    error.problems.map(({ loc, msg, type }) => {
      const name = loc.slice(1).join('.')
      return [name, texts[type] ?? words[name] ?? `${msg.replace(/^Value error, /, '')}.`]
    }),
  )
}
