import { createPublicKey } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import * as z from 'zod'
import type { Clock } from '../../core/clock.ts'
import type { AccessTokenVerifier } from '../../core/identity.ts'
import { userIdSchema } from '../../core/ids.ts'

/** RFC 9068 §2.1 and §2.2, beyond what `jwtVerify` checks. */
const accessToken = z.object({
  protectedHeader: z.object({ kid: z.string().min(1) }),
  payload: z.object({
    sub: userIdSchema,
    client_id: z.string().min(1),
    iat: z.number(),
    exp: z.number(),
    jti: z.string().min(1),
    scope: z.string(),
  }),
})

/**
 * Verifies access tokens (RFC 9068) of one issuer for one audience, signed with ES256 by one key.
 * @param publicKeySpki base64 of the key's DER SubjectPublicKeyInfo
 * @throws Error for a key that is none, at once
 */
export function createAccessTokenVerifier(options: {
  publicKeySpki: string
  issuer: string
  audience: string
  clock: Clock
}): AccessTokenVerifier {
  const { publicKeySpki, issuer, audience, clock } = options
  const key = createPublicKey({ key: Buffer.from(publicKeySpki, 'base64'), format: 'der', type: 'spki' })
  return {
    async verify(token) {
      try {
        const verified = await jwtVerify(token, key, {
          algorithms: ['ES256'],
          typ: 'at+jwt',
          issuer,
          audience,
          currentDate: new Date(clock.now()),
        })
        const { success, data } = accessToken.safeParse(verified)
        if (!success) return null
        return { userId: data.payload.sub, clientId: data.payload.client_id, scope: data.payload.scope }
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}
