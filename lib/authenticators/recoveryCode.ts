import { createHash } from 'node:crypto'
import type { UserId } from '../core/ids.ts'

/** RFC 4648 base32 in lower case: without 0, 1, 8 and 9, which look like letters. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const CHARACTERS = 20
const GROUP = 5

/** A recovery code of 100 random bits: `abcde-fghij-klmno-pqrst`. @param random at least 20 random bytes as base64url */
export function recoveryCodeOf(random: string): string {
  const characters = [...Buffer.from(random, 'base64url').subarray(0, CHARACTERS)].map((byte) => ALPHABET[byte % 32])
  return (characters.join('').match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')
}

/**
 * What is stored of a user's code: SHA-256, base64url. A code of 100 random bits cannot be guessed from it, so it needs no slow hash. As people
 * type codes: without regard to case, white space and hyphens. Undefined for what is no code.
 */
export function recoveryCodeDigest(userId: UserId, code: string): string | undefined {
  const typed = code.toLowerCase().replaceAll(/[\s\p{Pd}]/gu, '')
  if (typed.length !== CHARACTERS || ![...typed].every((character) => ALPHABET.includes(character))) return undefined
  return createHash('sha256').update(`${userId} ${typed}`).digest('base64url')
}
