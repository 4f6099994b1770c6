import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/)

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
      /** Empty for any passkey that the browser finds. */
      allowCredentials: z.array(
        z.object({ id: base64url, type: z.literal('public-key'), transports: z.array(z.string()).optional() }),
      ),
    }),
  },
} as const satisfies Contract
