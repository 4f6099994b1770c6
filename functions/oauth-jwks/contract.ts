import * as z from 'zod/mini'
import { type Contract, documentHeaders } from '../../lib/http/contract.ts'
import { named } from '../../lib/http/schema.ts'

const key = named(
  'JsonWebKey',
  z.strictObject({
    kty: z.literal('RSA'),
    n: z.string(),
    e: z.string(),
    alg: z.literal('RS256'),
    kid: z.string(),
    use: z.literal('sig'),
  }),
)

/** GET /.well-known/jwks.json (RFC 7517 §5). There are two keys when the signing key is being rotated. */
export const contract = {
  responses: {
    200: named('JsonWebKeySet', z.strictObject({ keys: z.array(key).check(z.minLength(1)) })),
    304: z.undefined(),
  },
  answerHeaders: documentHeaders,
} as const satisfies Contract
