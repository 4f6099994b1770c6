import * as z from 'zod/mini'
import { documented } from '../http/schema.ts'

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

/** Top-level domains that receive no mail: RFC 2606, RFC 6761, RFC 6762, RFC 7686. */
const specialUse = /(?:^|\.)(?:arpa|invalid|local|localhost|onion|test)$/i

const notInLocalPart = /[^A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]/gu
const notInDomain = /[^\p{L}\p{M}\p{N}.-]/gu

/**
 * Why a text is not an email address: email-validator's message, checked in its order; undefined for an address.
 * @param ascii the domain in punycode; undefined if it has none
 */
function emailProblem(address: string, ascii: string | undefined): string | undefined {
  if ([...address].length > 2048) return 'Length must not exceed 2048 characters'
  const at = address.indexOf('@')
  if (at < 0) return 'An email address must have an @-sign.'
  const domain = address.slice(at + 1)
  return localPartProblem(address.slice(0, at)) ?? domainProblem(domain, ascii) ?? lengthProblem(at + 1, ascii)
}

function localPartProblem(local: string): string | undefined {
  if (local === '') return 'There must be something before the @-sign.'
  const letters = local.match(/[^\p{ASCII}]/gu)
  if (letters) return `Internationalized characters before the @-sign are not supported: ${quoted(letters)}.`
  const bad = local.match(notInLocalPart)
  if (bad) return `The email address contains invalid characters before the @-sign: ${quoted(bad)}.`
  if (local.endsWith('.')) return 'An email address cannot have a period immediately before the @-sign.'
  if (local.startsWith('.')) return 'An email address cannot start with a period.'
  return local.includes('..') ? 'An email address cannot have two periods in a row.' : undefined
}

function domainProblem(domain: string, ascii: string | undefined): string | undefined {
  if (domain === '') return 'There must be something after the @-sign.'
  if (/^\[.*\]$/s.test(domain)) return 'A bracketed IP address after the @-sign is not allowed here.'
  const bad = domain.match(notInDomain)
  if (bad) return `The part after the @-sign contains invalid characters: ${quoted(bad)}.`
  if (domain.endsWith('.')) return 'An email address cannot end with a period.'
  if (domain.startsWith('.')) return 'An email address cannot have a period immediately after the @-sign.'
  if (domain.includes('..')) return 'An email address cannot have two periods in a row.'
  if (domain.endsWith('-')) return 'An email address cannot end with a hyphen.'
  if (domain.startsWith('-')) return 'An email address cannot have a hyphen immediately after the @-sign.'
  if (/\.-|-\./.test(domain)) return 'An email address cannot have a period and a hyphen next to each other.'
  return nameProblem(ascii)
}

function nameProblem(ascii: string | undefined): string | undefined {
  const labels = ascii?.split('.') ?? []
  const excess = Math.max(0, ...labels.map((label) => label.length - 63))
  if (excess > 0) {
    return `After the @-sign, periods cannot be separated by so many characters (${characters(excess)} too many).`
  }
  if (ascii === undefined) return 'The part after the @-sign contains invalid characters.'
  if (specialUse.test(ascii)) {
    return 'The part after the @-sign is a special-use or reserved name that cannot be used with email.'
  }
  if (labels.length < 2) return 'The part after the @-sign is not valid. It should have a period.'
  return /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(labels.at(-1) ?? '')
    ? undefined
    : 'The part after the @-sign is not valid. It is not within a valid top-level domain.'
}

function lengthProblem(before: number, ascii = ''): string | undefined {
  const excess = before + ascii.length - 254
  return excess > 0 ? `The email address is too long (${characters(excess)} too many).` : undefined
}

function characters(count: number): string {
  return `${count} character${count === 1 ? '' : 's'}`
}

/** The distinct characters, sorted. Invisible characters are named as email-validator names them. */
function quoted(found: readonly string[]): string {
  return [...new Set(found)].sort().map(name).join(', ')
}

function name(character: string): string {
  if (character === ' ') return 'SPACE'
  const visible = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
  const code = character.codePointAt(0) ?? 0
  return visible ? `'${character}'` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
