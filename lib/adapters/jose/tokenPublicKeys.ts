import { createPublicKey, type KeyObject } from 'node:crypto'
import * as z from 'zod'
import type { PublicJwk } from '../../oauth/ports.ts'

/** The public half of a key that signs access tokens, under the `kid` that their headers carry. */
export interface TokenPublicKey {
  readonly kid: string
  readonly key: KeyObject
}

const entryPattern = /^([A-Za-z0-9_-]+):([A-Za-z0-9+/]+={0,2})$/

/** RFC 7517 §4, RFC 7518 §6.2.1: only P-256, the curve of ES256. */
const publicJwk = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })

/**
 * Reads the variable `TOKEN_PUBLIC_KEY`: `<kid>:<base64 of the DER SubjectPublicKeyInfo>`, or two of them separated by a comma while
 * the key is rotated. The order does not matter.
 * @throws Error for a key that is not of P-256, and for two keys of one `kid`
 */
export function readTokenPublicKeys(text: string): TokenPublicKey[] {
  const keys = text.split(',').map((entry) => readEntry(entry.trim()))
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw new Error('TOKEN_PUBLIC_KEY has a kid twice')
  return keys
}

function readEntry(entry: string): TokenPublicKey {
  const [, kid, spki] = entryPattern.exec(entry) ?? []
  if (kid === undefined || spki === undefined) throw new Error('TOKEN_PUBLIC_KEY is not <kid>:<base64>')
  const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
  publicJwk.parse(key.export({ format: 'jwk' }))
  return { kid, key }
}

/** The keys as members of a JWK Set (RFC 7517 §5), for ES256 signatures only. */
export function publicJwksOf(keys: readonly TokenPublicKey[]): PublicJwk[] {
  return keys.map(({ kid, key }) => ({
    ...publicJwk.parse(key.export({ format: 'jwk' })),
    kid,
    alg: 'ES256',
    use: 'sig',
  }))
}
