import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'

const key = z
  .strictObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    kid: z.string(),
    alg: z.literal('ES256'),
    use: z.literal('sig'),
  })
  .meta({ id: 'JsonWebKey' })

/** GET /.well-known/jwks.json (RFC 7517 §5). Two keys while the signing key is being rotated. */
export const contract = {
  responses: { 200: z.strictObject({ keys: z.array(key).min(1) }).meta({ id: 'JsonWebKeySet' }) },
} as const satisfies Contract
