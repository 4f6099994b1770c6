import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'

const base64url = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/))

/** POST /api/auth/passkey/options: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn level 3, as far as it is used. */
export const contract = {
  body: z.object({ purpose: z.enum(['sign_in', 'second_factor']) }),
  responses: {
    200: z.object({
      challenge: base64url,
      /** Milliseconds. */
      timeout: z.int(),
      rpId: z.string(),
      userVerification: z.enum(['required', 'preferred']),
      /** Empty if the user may choose any passkey that the browser finds. */
      allowCredentials: z.array(
        z.object({ id: base64url, type: z.literal('public-key'), transports: z.optional(z.array(z.string())) }),
      ),
    }),
  },
} as const satisfies Contract
