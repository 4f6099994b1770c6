import { compactVerify, errors } from 'jose'
import * as z from 'zod/mini'
import { userIdSchema } from '../../core/ids.ts'
import type { IdTokenReader } from '../../oauth/ports.ts'
import { findKeyIn, tokenAlgorithms } from './tokenPublicKeys.ts'

/** What an `id_token_hint` is asked for. Its time is not: a hint may have expired (RP-Initiated Logout 1.0 §4). */
const idToken = z.object({ iss: z.string(), sub: userIdSchema, aud: z.string().check(z.minLength(1)), sid: z.string() })

/**
 * Verifies id_tokens that come back as hints, by the keys that this function holds.
 * @param publicKeys as `readTokenPublicKeys` reads them
 * @throws Error for a text that lists no keys, at once; for an ill-formed key, with each token
 */
export function createIdTokenReader({ publicKeys, issuer }: { publicKeys: string; issuer: string }): IdTokenReader {
  const keyOf = findKeyIn(publicKeys)
  return {
    async read(token) {
      try {
        const { payload, protectedHeader } = await compactVerify(token, keyOf, { algorithms: tokenAlgorithms })
        if (protectedHeader.typ !== 'JWT') return undefined
        const { data } = idToken.safeParse(JSON.parse(new TextDecoder().decode(payload)))
        return data?.iss === issuer ? { userId: data.sub, clientId: data.aud, familyId: data.sid } : undefined
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof SyntaxError) return undefined
        throw error
      }
    },
  }
}
