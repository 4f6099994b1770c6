import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { CommonError, reasonOf } from '../../core/errors.ts'
import type { Logger } from '../../log/logger.ts'
import type { Passwords } from '../../users/ports.ts'
import { createArgon2id, type Derive, type NativeArgon2 } from './argon2id.ts'

/** The parameters of new hashes: OWASP's Password Storage Cheat Sheet, for 19 MiB. */
const current = { memory: 19_456, passes: 2, parallelism: 1 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * A hash uses a whole core and 19 MiB, which each of libuv's four threads may keep: more at once would only delay
 * everything else. The last of 64 waits for about a second; later requests had better be sent again.
 */
const atMostTwo = limitConcurrency({ running: 2, waiting: 64 })

/** The hash to compare with if an account or its password is missing, so that the answer takes as long. No password has this hash. */
const decoy: Argon2idHash = { ...current, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }

/**
 * Argon2id, at most two hashes at a time in this process: of OpenSSL, on the threads of libuv, or where the runtime lacks it of a package, which
 * takes ten times as long and is logged once. Of the NFC form of a password, which every keyboard has in common; hashes of a password as it
 * was typed, from before that was so, are right too.
 * @param native defaults to Node's own
 */
export function createArgon2idPasswords(
  { logger }: { logger: Logger },
  native: () => NativeArgon2 = () => argon2 ?? 'none',
): Passwords {
  const argon2id = createArgon2id(native, (error) =>
    logger.warn('Argon2 of the runtime not used', { reason: reasonOf(error) }),
  )
  const derive: Derive = (parameters) => atMostTwo(() => argon2id(parameters))
  return {
    async hash(password) {
      const parameters = { ...current, salt: randomBytes(SALT_BYTES) }
      const hash = await derive({ ...parameters, message: password.normalize('NFC'), length: HASH_BYTES })
      return toPhcString({ ...parameters, hash })
    },

    async check(password, hash) {
      const stored = hash === undefined ? decoy : parsePhcString(hash)
      const isRight = async (message: string) =>
        timingSafeEqual(await derive({ ...stored, message, length: stored.hash.length }), stored.hash) &&
        hash !== undefined
      const normalized = password.normalize('NFC')
      if (await isRight(normalized)) return { isRight: true, isOutdated: isOutdated(stored) }
      // Once more for every account and for none, so that the time says nothing.
      const asTyped = password !== normalized && (await isRight(password))
      return { isRight: asTyped, isOutdated: asTyped }
    },
  }
}

function isOutdated({ memory, passes, parallelism }: Argon2idHash): boolean {
  return memory !== current.memory || passes !== current.passes || parallelism !== current.parallelism
}

/**
 * Runs at most `running` operations at the same time; as many as `waiting` wait in the order of their calls.
 * @throws CommonError `service_unavailable`, at once, if as many are waiting already
 */
export function limitConcurrency({ running: most, waiting: queue }: { running: number; waiting: number }) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (running < most) running += 1
    else if (waiting.length < queue) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw new CommonError('service_unavailable', { message: 'too many passwords at once' })
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** A hash of Argon2id with its parameters and salt. */
interface Argon2idHash {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly salt: Buffer
  readonly hash: Buffer
}

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Writes `$argon2id$v=19$m=...,t=...,p=...$<salt>$<hash>`, as every library of Argon2 does (PHC string format). */
export function toPhcString({ memory, passes, parallelism, salt, hash }: Argon2idHash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/** @throws TypeError for a text that `toPhcString` did not write */
function parsePhcString(text: string): Argon2idHash {
  const [, memory, passes, parallelism, salt = '', hash = ''] = pattern.exec(text) ?? []
  if (memory === undefined) throw new TypeError('not a PHC string of argon2id')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
