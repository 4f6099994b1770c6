import { digestSecret, type SecretDigest } from '../secretDigest.ts'

/** RFC 8628 §6.1: 20 consonants, so that no code is a word and none can be misread. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'

const LENGTH = 8

/** A byte below it is uniform over the alphabet. */
const UNIFORM_BELOW = 256 - (256 % ALPHABET.length)

/**
 * A code that a person can type, as it is shown: `WDJB-MJHT`. One of 20^8, about 35 bits.
 * @param secret 32 random bytes as base64url, for this code alone
 */
export function userCodeOf(secret: string): string {
  const bytes = [...Buffer.from(secret, 'base64url')].filter((byte) => byte < UNIFORM_BELOW)
  const letters = bytes.slice(0, LENGTH).map((byte) => ALPHABET[byte % ALPHABET.length])
  if (letters.length < LENGTH) throw new Error('too few random bytes for a user code')
  return shownUserCode(letters.join(''))
}

/** A typed code as it is shown. */
export function shownUserCode(typed: string): string {
  const letters = lettersOf(typed)
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}

/** The digest of a typed code: capitals, hyphens and spaces do not matter. It only names the authorization: so short a code can be found from it. */
export function digestUserCode(typed: string): SecretDigest {
  return digestSecret(lettersOf(typed))
}

function lettersOf(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
}
