import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Passwords } from '../../users/ports.ts'
import { limitConcurrency } from './limitConcurrency.ts'
import { type Argon2idHash, parsePhcString, toPhcString } from './phcString.ts'

/** The parameters of new hashes: OWASP's Password Storage Cheat Sheet, for 19 MiB. */
const current = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * A hash uses a whole core and 19 MiB, which each of libuv's four threads may keep: more at once would only delay
 * everything else. The last of 64 waits for about a second; later requests had better be sent again.
 */
const atMostTwo = limitConcurrency({ running: 2, waiting: 64 })

const argon2id = promisify((parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
  argon2('argon2id', parameters, done),
)

/** The hash to compare with if an account or its password is missing, so that the answer takes as long. No password has this hash. */
const decoy: Argon2idHash = { ...current, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }

/**
 * Argon2id of OpenSSL, on the threads of libuv, at most two hashes at a time in this process. Of the NFC form of a password, which every
 * keyboard has in common; hashes of a password as it was typed, from before that was so, are right too.
 */
export const argon2idPasswords: Passwords = {
  async hash(password) {
    const parameters = { ...current, salt: randomBytes(SALT_BYTES) }
    return toPhcString({ ...parameters, hash: await derive(password.normalize('NFC'), parameters, HASH_BYTES) })
  },

  async check(password, hash) {
    const stored = hash === undefined ? decoy : parsePhcString(hash)
    const isRight = async (text: string) =>
      timingSafeEqual(await derive(text, stored, stored.hash.length), stored.hash) && hash !== undefined
    const normalized = password.normalize('NFC')
    if (await isRight(normalized)) return { isRight: true, isOutdated: isOutdated(stored) }
    // Once more for every account and for none, so that the time says nothing.
    const asTyped = password !== normalized && (await isRight(password))
    return { isRight: asTyped, isOutdated: asTyped }
  },
}

function isOutdated({ memory, passes, parallelism }: Argon2idHash): boolean {
  return memory !== current.memory || passes !== current.passes || parallelism !== current.parallelism
}

function derive(message: string, { salt: nonce, ...parameters }: Omit<Argon2idHash, 'hash'>, tagLength: number) {
  const { memory, passes, parallelism } = parameters
  return atMostTwo(() => argon2id({ message, nonce, memory, passes, parallelism, tagLength }))
}
