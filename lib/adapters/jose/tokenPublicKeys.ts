import { createPublicKey, type KeyObject } from 'node:crypto'
import { errors } from 'jose'
import * as z from 'zod/mini'
import type { PublicJwk, SigningAlgorithm } from '../../oauth/ports.ts'

/** The public half of a key that signs tokens, under the `kid` that their headers carry. */
export interface TokenPublicKey {
  readonly kid: string
  readonly key: KeyObject
  /** The only `alg` of its tokens (RFC 8725 §3.1). */
  readonly algorithm: SigningAlgorithm
}

const entryPattern = /^([A-Za-z0-9_-]+):([A-Za-z0-9+/]+={0,2})$/

/**
 * Reads the variable `TOKEN_PUBLIC_KEY`: `<kid>:<base64 of the DER SubjectPublicKeyInfo>`, or two of them separated by a comma while
 * the key is rotated. The order does not matter; what kind a key is decides its algorithm.
 * @throws Error for a key that is neither of RSA nor of P-256, and for two keys of one `kid`
 */
export function readTokenPublicKeys(text: string): TokenPublicKey[] {
  return entriesOf(text).map(readEntry)
}

/** The members of RFC 7518 §6.2.1 and §6.3.1, for the keys that are read here. */
const publicMembers = z.discriminatedUnion('kty', [
  z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string() }),
  z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
])

/** The same keys as they are published. Throws as `readTokenPublicKeys`. */
export function readPublicJwks(text: string): PublicJwk[] {
  return readTokenPublicKeys(text).map(({ kid, key }) => {
    const members = publicMembers.parse(key.export({ format: 'jwk' }))
    return members.kty === 'RSA'
      ? { ...members, kid, alg: 'RS256', use: 'sig' }
      : { ...members, kid, alg: 'ES256', use: 'sig' }
  })
}

/** A key's `kid` and the base64 of its DER. */
type Entry = readonly [kid: string, spki: string]

function entriesOf(text: string): readonly Entry[] {
  const entries = text.split(',').map((entry): Entry => {
    const [, kid, spki] = entryPattern.exec(entry.trim()) ?? []
    if (kid === undefined || spki === undefined) throw new Error('TOKEN_PUBLIC_KEY is not <kid>:<base64>')
    return [kid, spki]
  })
  if (new Map(entries).size < entries.length) throw new Error('TOKEN_PUBLIC_KEY has a kid twice')
  return entries
}

function readEntry([kid, spki]: Entry): TokenPublicKey {
  const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
  return { kid, key, algorithm: algorithmOf(key) }
}

/** RFC 7518 §3.3, §3.4: RSA with 2048 bits at least, and P-256, the curve of ES256. */
function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): SigningAlgorithm {
  const { modulusLength = 0, publicExponent, namedCurve } = asymmetricKeyDetails
  if (asymmetricKeyType === 'rsa' && modulusLength >= 2048 && publicExponent === 65_537n) return 'RS256'
  if (asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return 'ES256'
  throw new Error('TOKEN_PUBLIC_KEY has a key that is neither RSA of 2048 bits or more, with 65537, nor of P-256')
}

/** The algorithms of all keys that there may be. */
export const tokenAlgorithms: SigningAlgorithm[] = ['RS256', 'ES256']

/**
 * The key that a token names by its `kid`, as jose asks for it: only where the token's `alg` is that key's. Throws JOSEError for any other.
 * The keys are read when the first token is verified, which a start need not wait for; a key that is refused then is refused with every token.
 * @param text as `readTokenPublicKeys` reads it
 * @throws Error for a text that lists no keys, at once
 */
export function findKeyIn(text: string) {
  const entries = entriesOf(text)
  let byKid: ReadonlyMap<string, TokenPublicKey> | undefined
  return ({ kid = '', alg }: { kid?: string; alg?: string }): KeyObject => {
    byKid ??= new Map(entries.map((entry) => [entry[0], readEntry(entry)]))
    const found = byKid.get(kid)
    if (found === undefined) throw new errors.JWKSNoMatchingKey()
    if (found.algorithm !== alg) throw new errors.JOSEAlgNotAllowed()
    return found.key
  }
}
