import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Passwords } from '../../users/ports.ts'
import { limitConcurrency } from './limitConcurrency.ts'
import { type Argon2idHash, parsePhcString, toPhcString } from './phcString.ts'

/** The parameters of new hashes: OWASP's Password Storage Cheat Sheet, for 19 MiB. */
const current = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32

/** One hash uses a whole core and 19 MiB: more of them at once would only delay everything else. */
const atMostTwo = limitConcurrency(2)

const argon2id = promisify((parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
  argon2('argon2id', parameters, done),
)

/** Compared with where an account or its password is missing, so that the answer takes as long; no password has this hash. */
const decoy: Argon2idHash = { ...current, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }

/** Argon2id of OpenSSL, on the threads of libuv, at most two hashes at a time in this process. */
export const argon2idPasswords: Passwords = {
  async hash(password) {
    const parameters = { ...current, salt: randomBytes(SALT_BYTES) }
    return toPhcString({ ...parameters, hash: await derive(password, parameters, HASH_BYTES) })
  },

  async verify(password, hash) {
    const stored = hash === undefined ? decoy : parsePhcString(hash)
    const isSame = timingSafeEqual(await derive(password, stored, stored.hash.length), stored.hash)
    return isSame && hash !== undefined
  },

  isOutdated(hash) {
    const { memory, passes, parallelism } = parsePhcString(hash)
    return memory !== current.memory || passes !== current.passes || parallelism !== current.parallelism
  },
}

function derive(message: string, { salt: nonce, ...parameters }: Omit<Argon2idHash, 'hash'>, tagLength: number) {
  const { memory, passes, parallelism } = parameters
  return atMostTwo(() => argon2id({ message, nonce, memory, passes, parallelism, tagLength }))
}
