import * as z from 'zod'
import { CommonPasswordError } from './errors.ts'
import type { CommonPasswords, PasswordProblem } from './ports.ts'

const MIN_CHARACTERS = 8
const MAX_BYTES = 1024

/**
 * A new password, used unchanged: at least 8 characters (code points), at most 1024 bytes of UTF-8, any characters
 * (NIST SP 800-63B §3.1.1.2, ASVS 5.0 §6.2). `requireUncommon` checks that it is not a common one.
 */
export const newPasswordSchema = z
  .string()
  .superRefine((password, context) => {
    const problem = lengthProblem(password)
    if (problem === undefined) return
    context.addIssue({
      code: 'custom',
      params: { type: 'value_error', msg: `Value error, ${lengthMessages[problem]}` },
    })
  })
  .meta({ format: 'password', minLength: MIN_CHARACTERS })

const lengthMessages = {
  password_too_short: `Password should have at least ${MIN_CHARACTERS} characters`,
  password_too_long: `Password should have at most ${MAX_BYTES} bytes`,
} as const satisfies Partial<Record<PasswordProblem, string>>

function lengthProblem(password: string): keyof typeof lengthMessages | undefined {
  if ([...password].length < MIN_CHARACTERS) return 'password_too_short'
  return Buffer.byteLength(password) > MAX_BYTES ? 'password_too_long' : undefined
}

/**
 * @param field the password's name in the request
 * @throws CommonPasswordError when the password is on the list of common ones
 */
export async function requireUncommon(list: CommonPasswords, password: string, field: string): Promise<void> {
  if (await list.has(password)) throw new CommonPasswordError({ field })
}

/** The problem of a new password; undefined for an acceptable one. */
export async function passwordProblem(list: CommonPasswords, password: string): Promise<PasswordProblem | undefined> {
  return lengthProblem(password) ?? ((await list.has(password)) ? 'password_common' : undefined)
}
