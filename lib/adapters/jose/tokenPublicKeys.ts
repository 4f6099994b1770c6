import { createPublicKey, type KeyObject } from 'node:crypto'
import { errors } from 'jose'
import * as z from 'zod/mini'
import type { PublicJwk } from '../../oauth/ports.ts'

/** The public half of a key that signs tokens, under the `kid` that their headers carry. */
export interface TokenPublicKey {
  readonly kid: string
  readonly key: KeyObject
}

const entryPattern = /^([A-Za-z0-9_-]+):([A-Za-z0-9+/]+={0,2})$/

/**
 * Reads the variable `TOKEN_PUBLIC_KEY`: `<kid>:<base64 of the DER SubjectPublicKeyInfo>`, or two of them separated by a comma while
 * the key is rotated. The order does not matter.
 * @throws Error for a key that RS256 cannot use, and for two keys with the same `kid`
 */
export function readTokenPublicKeys(text: string): TokenPublicKey[] {
  return entriesOf(text).map(readEntry)
}

/** The members of RFC 7518 §6.3.1. */
const publicMembers = z.object({ kty: z.literal('RSA'), n: z.string(), e: z.string() })

/** The same keys as they are published. Throws as `readTokenPublicKeys`. */
export function readPublicJwks(text: string): PublicJwk[] {
  return readTokenPublicKeys(text).map(({ kid, key }) => {
    const members = publicMembers.parse(key.export({ format: 'jwk' }))
    return { ...members, kid, alg: 'RS256', use: 'sig' }
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

/** RFC 7518 §3.3: RSA with 2048 bits at least. */
function readEntry([kid, spki]: Entry): TokenPublicKey {
  const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
  const { modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < 2048 || publicExponent !== 65_537n) {
    throw new Error('TOKEN_PUBLIC_KEY has a key that is not RSA of 2048 bits or more, with 65537')
  }
  return { kid, key }
}

/** The only `alg` of tokens (RFC 8725 §3.1). */
export const tokenAlgorithms = ['RS256']

/**
 * The key that a token names by its `kid`, as jose asks for it. Throws JOSEError for an unknown `kid`. The keys are read when the first
 * token is verified, so that a start need not wait for them; a key that is refused then is refused with every token.
 * @param text as `readTokenPublicKeys` reads it
 * @throws Error for a text that lists no keys, at once
 */
export function findKeyIn(text: string) {
  const entries = entriesOf(text)
  let byKid: ReadonlyMap<string, KeyObject> | undefined
  return ({ kid = '' }: { kid?: string }): KeyObject => {
    byKid ??= new Map(entries.map(readEntry).map(({ kid, key }) => [kid, key]))
    const key = byKid.get(kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }
}
