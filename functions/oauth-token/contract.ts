import * as z from 'zod/mini'
import { tokenError } from '../../lib/http/answer/tokenErrors.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { named, nullAsAbsent } from '../../lib/http/schema.ts'

const optionalString = nullAsAbsent(z.string())

/** POST /api/oauth/token. `grant_type` is any string: if the type is unsupported, the answer is an OAuth error, not 422. */
export const contract = {
  body: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    grant_type: z.string(),
    code: optionalString,
    redirect_uri: optionalString,
    code_verifier: optionalString,
    refresh_token: optionalString,
    scope: optionalString,
  }),
  responses: {
    200: named(
      'Token',
      z.strictObject({
        access_token: z.string(),
        token_type: z.literal('Bearer'),
        expires_in: z.int(),
        refresh_token: z.optional(z.string()),
        id_token: z.optional(z.string()),
        scope: z.optional(z.string()),
      }),
    ),
    400: tokenError([
      'invalid_request',
      'invalid_grant',
      'unauthorized_client',
      'unsupported_grant_type',
      'invalid_scope',
    ]),
    401: tokenError(['invalid_client']),
  },
} as const satisfies Contract
