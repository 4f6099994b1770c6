import * as z from 'zod/mini'
import { documented } from '../../http/schema.ts'

const MIN_CHARACTERS = 8
const MAX_CHARACTERS = 128

/**
 * A new password: 8 to 128 characters of any kind, counted as code points of its NFC form (NIST SP 800-63B §3.1.1.2, ASVS 5.0 §6.2).
 * `requireGoodPassword` then checks that it is hard to guess.
 */
export const newPasswordSchema = documented(
  { format: 'password', minLength: MIN_CHARACTERS, maxLength: MAX_CHARACTERS },
  z.string().check(
    z.superRefine((password, context) => {
      const problem = lengthProblem(password)
      if (problem === undefined) return
      context.addIssue({
        code: 'custom',
        params: { type: 'value_error', msg: `Value error, ${lengthMessages[problem]}` },
      })
    }),
  ),
)

const lengthMessages = {
  password_too_short: `Password should have at least ${MIN_CHARACTERS} characters`,
  password_too_long: `Password should have at most ${MAX_CHARACTERS} characters`,
} as const

/** What is wrong with the length of a new password. */
export function lengthProblem(password: string): keyof typeof lengthMessages | undefined {
  const { length } = [...password.normalize('NFC')]
  if (length < MIN_CHARACTERS) return 'password_too_short'
  return length > MAX_CHARACTERS ? 'password_too_long' : undefined
}
