import * as z from 'zod'
import { CommonPasswordError, commonPasswordReason } from './errors.ts'
import type { CommonPasswords } from './ports.ts'

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
    context.addIssue({ code: 'custom', params: { type: 'value_error', msg: `Value error, ${problem}` } })
  })
  .meta({ format: 'password', minLength: MIN_CHARACTERS })

function lengthProblem(password: string): string | undefined {
  if ([...password].length < MIN_CHARACTERS) return `Password should have at least ${MIN_CHARACTERS} characters`
  return Buffer.byteLength(password) > MAX_BYTES ? `Password should have at most ${MAX_BYTES} bytes` : undefined
}

/**
 * @param field the password's name in the request
 * @throws CommonPasswordError when the password is on the list of common ones
 */
export async function requireUncommon(list: CommonPasswords, password: string, field: string): Promise<void> {
  if (await list.has(password)) throw new CommonPasswordError({ field })
}

/** The problem of a new password as a sentence for people; undefined for an acceptable one. */
export async function passwordProblem(list: CommonPasswords, password: string): Promise<string | undefined> {
  const problem = lengthProblem(password) ?? ((await list.has(password)) ? commonPasswordReason : undefined)
  return problem && `${problem}.`
}
