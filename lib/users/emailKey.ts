import * as z from 'zod/mini'
import { documented } from '../http/schema.ts'
import { emailProblem } from './emailProblem.ts'

const emailKeySchema = z.string().brand<'EmailKey'>()

/** The lookup key of an email address: equal for all spellings of the address. */
export type EmailKey = z.infer<typeof emailKeySchema>

/** Longer than any valid address (RFC 5321 §4.5.3.1.3), and short enough for a DynamoDB key. */
const MAX_KEY = 320

/**
 * The key of an address: trimmed, NFC-normalized, the domain in punycode, all in lower case. Accepts any text: if the text is not an
 * address, its key matches no account.
 */
export function emailKey(address: string): EmailKey {
  const text = address.trim().normalize('NFC').toLowerCase()
  const at = text.lastIndexOf('@') + 1
  const domain = at === 0 ? text : (asciiDomain(text.slice(at)) ?? text.slice(at))
  return emailKeySchema.parse((text.slice(0, at) + domain).slice(0, MAX_KEY))
}

/**
 * An email address from a request, trimmed and with its domain in lower case. Validates as pydantic with email-validator does,
 * without DNS lookups, and refuses non-ASCII letters before the @-sign, which SES does not support.
 */
export const emailSchema = documented(
  { type: 'string', format: 'email' },
  z.pipe(
    z.string(),
    z.transform((input, { issues }): string => {
      const address = input.trim().normalize('NFC')
      const at = address.lastIndexOf('@')
      const domain = address.slice(at + 1)
      const problem = emailProblem(address, asciiDomain(domain))
      if (problem === undefined) return `${address.slice(0, at)}@${domain.toLowerCase()}`
      issues.push({
        code: 'custom',
        input,
        params: { type: 'value_error', msg: `value is not a valid email address: ${problem}` },
      })
      return z.NEVER
    }),
  ),
)

/** The domain in punycode and lower case; undefined for text that is not a host name. */
function asciiDomain(domain: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined
  return URL.parse(`http://${domain}`)?.hostname
}
