import * as z from 'zod/mini'
import { tokenError } from '../../lib/http/answer/tokenErrors.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named, nullAsAbsent } from '../../lib/http/schema.ts'

const inactive = z.strictObject({
  active: described('False for every token that is not valid, whatever the reason', z.literal(false)),
})

/** RFC 7662 §2.2. A refresh token has no `token_type`, as it is not presented to the API, and no `aud`, `iat` or `jti`. */
const active = z.strictObject({
  active: described('The token is valid', z.literal(true)),
  scope: described('What was granted, separated by spaces', z.optional(z.string())),
  client_id: described('The client that the token was issued to', z.string()),
  org: described('The organization of an API client; only for its tokens', z.optional(z.uuid())),
  client_kind: described(
    'How the client acts without a user; only for the tokens of such clients',
    z.optional(z.enum(['api_client', 'service'])),
  ),
  token_type: described('Only for access tokens', z.optional(z.literal('Bearer'))),
  exp: described('When it expires, in Unix seconds', z.int()),
  iat: described('When it was issued, in Unix seconds', z.optional(z.int())),
  sub: described('The user, or the client if it acts without a user', z.string()),
  aud: described('The API that the token is for', z.optional(z.string())),
  iss: described('The issuer of the token', z.string()),
  jti: described('The id of the token', z.optional(z.string())),
})

/** POST /api/oauth/introspect (RFC 7662), for clients with a secret: only their own tokens, unless the client is a resource server. */
export const contract = {
  body: z.object({
    client_id: described('The client’s id', z.string()),
    client_secret: described('The client’s secret', z.string()),
    token: described('The access or refresh token', z.string()),
    token_type_hint: described(
      '`access_token` or `refresh_token`; the answer is the same without it',
      nullAsAbsent(z.string()),
    ),
  }),
  responses: {
    200: named('Introspection', z.union([active, inactive])),
    400: tokenError(['invalid_request']),
    401: tokenError(['invalid_client']),
  },
} as const satisfies Contract
