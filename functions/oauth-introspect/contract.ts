import * as z from 'zod/mini'
import { tokenError } from '../../lib/http/answer/tokenErrors.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { documented, named, nullAsAbsent } from '../../lib/http/schema.ts'

const inactive = z.strictObject({ active: z.literal(false) })

/** RFC 7662 §2.2. A refresh token has no `token_type`, as it is not presented to the API, and no `aud`, `iat` or `jti`. */
const active = z.strictObject({
  active: z.literal(true),
  scope: z.optional(z.string()),
  client_id: z.string(),
  org: documented({ description: 'The organization of an API client; only for its tokens' }, z.optional(z.uuid())),
  client_kind: documented(
    { description: 'How the client acts without a user; only for the tokens of such clients' },
    z.optional(z.enum(['api_client', 'service'])),
  ),
  token_type: z.optional(z.literal('Bearer')),
  exp: z.int(),
  iat: z.optional(z.int()),
  sub: z.string(),
  aud: z.optional(z.string()),
  iss: z.string(),
  jti: z.optional(z.string()),
})

/** POST /api/oauth/introspect (RFC 7662), for clients with a secret: only their own tokens, unless the client is a resource server. */
export const contract = {
  body: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    token: z.string(),
    token_type_hint: nullAsAbsent(z.string()),
  }),
  responses: {
    200: named('Introspection', z.union([active, inactive])),
    400: tokenError(['invalid_request']),
    401: tokenError(['invalid_client']),
  },
} as const satisfies Contract
