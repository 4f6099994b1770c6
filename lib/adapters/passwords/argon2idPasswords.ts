import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Passwords } from '../../users/ports.ts'
import { inTurn } from './inTurn.ts'
import { type Argon2idHash, parsePhcString, toPhcString } from './phcString.ts'

/** The parameters that new hashes are made with: OWASP's Password Storage Cheat Sheet, the first choice for 19 MiB. */
const today = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32

/** One hash takes all of a core and 19 MiB: more of them at once would only make everything else wait. */
const atMostTwo = inTurn(2)

const argon2id = promisify((parameters: Argon2Parameters, done: (error: Error | null, key: Buffer) => void) =>
  argon2('argon2id', parameters, done),
)

/** Stands where an account or its password is missing: takes as long as any, and no password has it. */
const nobodys: Argon2idHash = { ...today, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }

/** Argon2id of OpenSSL, on the threads of libuv, at most two hashes at a time in this process. */
export const argon2idPasswords: Passwords = {
  async hash(password) {
    const parameters = { ...today, salt: randomBytes(SALT_BYTES) }
    return toPhcString({ ...parameters, hash: await derive(password, parameters, HASH_BYTES) })
  },

  async verify(password, hash) {
    const stored = hash === undefined ? nobodys : parsePhcString(hash)
    const isSame = timingSafeEqual(await derive(password, stored, stored.hash.length), stored.hash)
    return isSame && hash !== undefined
  },

  isOutdated(hash) {
    const { memory, passes, parallelism } = parsePhcString(hash)
    return memory !== today.memory || passes !== today.passes || parallelism !== today.parallelism
  },
}

function derive(message: string, { salt: nonce, ...parameters }: Omit<Argon2idHash, 'hash'>, tagLength: number) {
  const { memory, passes, parallelism } = parameters
  return atMostTwo(() => argon2id({ message, nonce, memory, passes, parallelism, tagLength }))
}
