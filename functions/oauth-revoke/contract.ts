import * as z from 'zod/mini'
import { tokenError } from '../../lib/http/answer/tokenErrors.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, nullAsAbsent } from '../../lib/http/schema.ts'

/** POST /api/oauth/revoke (RFC 7009). The answer has no body. */
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
  responses: { 200: z.undefined(), 400: tokenError(['invalid_request']), 401: tokenError(['invalid_client']) },
} as const satisfies Contract
