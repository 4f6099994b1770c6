import * as z from 'zod'
import { emailProblem } from './emailProblem.ts'

const emailKeySchema = z.string().brand<'EmailKey'>()

/** An e-mail address as it is looked up: the same for every spelling of one address. */
export type EmailKey = z.infer<typeof emailKeySchema>

/** Longer than any address that an account may have (RFC 5321 §4.5.3.1.3), and short enough for every store. */
const MAX_KEY = 320

/**
 * The key of an address: trimmed, composed (NFC), the domain in its ASCII form, all in lower case. Of any text at all there is a
 * key; text that is no address has one that no account has.
 */
export function emailKey(address: string): EmailKey {
  const text = address.trim().normalize('NFC').toLowerCase()
  const at = text.lastIndexOf('@') + 1
  const domain = at === 0 ? text : (asciiDomain(text.slice(at)) ?? text.slice(at))
  return emailKeySchema.parse((text.slice(0, at) + domain).slice(0, MAX_KEY))
}

/**
 * An e-mail address as a caller may give it, trimmed and with its domain in lower case. Refused as pydantic with
 * email-validator does, without asking the DNS; and so are letters outside ASCII before the @-sign, for SES takes none.
 */
export const emailSchema = z
  .string()
  .transform((input, context): string => {
    const address = input.trim().normalize('NFC')
    const at = address.lastIndexOf('@')
    const domain = address.slice(at + 1)
    const problem = emailProblem(address, asciiDomain(domain))
    if (problem === undefined) return `${address.slice(0, at)}@${domain.toLowerCase()}`
    context.addIssue({
      code: 'custom',
      params: { type: 'value_error', msg: `value is not a valid email address: ${problem}` },
    })
    return z.NEVER
  })
  .meta({ type: 'string', format: 'email' })

/** The domain in punycode, and lower case; undefined for what is no name of a host. */
function asciiDomain(domain: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return undefined
  return URL.parse(`http://${domain}`)?.hostname
}
