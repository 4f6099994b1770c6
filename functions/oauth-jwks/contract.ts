import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'

const key = z
  .strictObject({
    kty: z.literal('RSA'),
    n: z.string(),
    e: z.string(),
    alg: z.literal('RS256'),
    kid: z.string(),
    use: z.literal('sig'),
  })
  .register(z.globalRegistry, { id: 'JsonWebKey' })

/** GET /.well-known/jwks.json (RFC 7517 §5). Two keys while the signing key is being rotated. */
export const contract = {
  responses: {
    200: z
      .strictObject({ keys: z.array(key).check(z.minLength(1)) })
      .register(z.globalRegistry, { id: 'JsonWebKeySet' }),
  },
} as const satisfies Contract
