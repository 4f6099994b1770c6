import * as z from 'zod/mini'
import { type Contract, documentHeaders } from '../../lib/http/contract.ts'
import { described, named } from '../../lib/http/schema.ts'

const key = named(
  'JsonWebKey',
  z.strictObject({
    kty: described('The kind of key', z.literal('RSA')),
    n: described('The modulus, in base64url', z.string()),
    e: described('The exponent, in base64url', z.string()),
    alg: described('The algorithm that the key is for', z.literal('RS256')),
    kid: described('The id of the key, as in the header of tokens', z.string()),
    use: described('The key signs', z.literal('sig')),
  }),
)

/** GET /.well-known/jwks.json (RFC 7517 §5). There are two keys when the signing key is being rotated. */
export const contract = {
  responses: {
    200: named(
      'JsonWebKeySet',
      z.strictObject({
        keys: described('The keys: two while the signing key is being rotated', z.array(key).check(z.minLength(1))),
      }),
    ),
    304: z.undefined(),
  },
  answerHeaders: documentHeaders,
} as const satisfies Contract
