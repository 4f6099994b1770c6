import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { described } from '../../lib/http/schema.ts'

const base64url = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/))

/** POST /api/auth/passkey/options: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn level 3, as far as it is used. */
export const contract = {
  body: z.object({ purpose: described('What the passkey is asked for', z.enum(['sign_in', 'second_factor'])) }),
  responses: {
    200: z.object({
      challenge: described('Random bytes for the passkey to sign', base64url),
      /** Milliseconds. */
      timeout: described('Milliseconds that the browser waits for the user', z.int()),
      rpId: described('The host that passkeys belong to', z.string()),
      userVerification: described(
        'Whether the passkey has to check who the user is',
        z.enum(['required', 'preferred']),
      ),
      /** Empty if the user may choose any passkey that the browser finds. */
      allowCredentials: described(
        'The passkeys to choose from; empty if the user may choose any that the browser finds',
        z.array(
          z.object({
            id: described('The id of the credential', base64url),
            type: described('The type of credential in WebAuthn', z.literal('public-key')),
            transports: described('How the browser can reach it', z.optional(z.array(z.string()))),
          }),
        ),
      ),
    }),
  },
} as const satisfies Contract
