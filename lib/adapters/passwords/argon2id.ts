import type { argon2 } from 'node:crypto'
import { loadedOnce } from '../../core/loadedOnce.ts'

/** Node's function; `none` in a Node without it. */
export type NativeArgon2 = typeof argon2 | 'none'

/** What a hash is derived from. */
interface Argon2idInput {
  readonly message: string
  readonly salt: Buffer
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  /** Of the hash, in bytes. */
  readonly length: number
}

export type Derive = (input: Argon2idInput) => Promise<Buffer>

const load = loadedOnce(() => import('@noble/hashes/argon2.js'))

/**
 * Argon2id of the runtime; if that fails, of the package @noble/hashes from then on, with the same results. Node's function needs an OpenSSL
 * with Argon2, which a runtime may be built without.
 * @param onFailure is called once, with what the runtime threw
 */
export function createArgon2id(native: () => NativeArgon2, onFailure: (error: unknown) => void): Derive {
  let isMissing = false
  return async (input) => {
    if (isMissing) return deriveByPackage(input)
    try {
      return await deriveNatively(native(), input)
    } catch (error) {
      if (!isMissing) onFailure(error)
      isMissing = true
      return deriveByPackage(input)
    }
  }
}

function deriveNatively(native: NativeArgon2, input: Argon2idInput): Promise<Buffer> {
  const { message, salt: nonce, memory, passes, parallelism, length: tagLength } = input
  const parameters = { message, nonce, memory, passes, parallelism, tagLength }
  return new Promise((resolve, reject) => {
    if (native === 'none') throw new Error('the runtime has no crypto.argon2')
    native('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

async function deriveByPackage({ message, salt, memory: m, passes: t, parallelism: p, length: dkLen }: Argon2idInput) {
  const { argon2id } = await load()
  return Buffer.from(argon2id(message, salt, { m, t, p, dkLen }))
}
