import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { nullAsAbsent } from '../../lib/http/scalars.ts'

/** RFC 6749 §5.2, as at the token endpoint. */
function refusal<const Code extends string>(code: Code) {
  return z.object({ error: z.literal(code), error_description: z.string(), detail: z.string() })
}

/** POST /api/oauth/revoke (RFC 7009). The answer has no body. */
export const contract = {
  body: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    token: z.string(),
    token_type_hint: nullAsAbsent(z.string()),
  }),
  responses: { 200: z.undefined(), 400: refusal('invalid_request'), 401: refusal('invalid_client') },
} as const satisfies Contract
