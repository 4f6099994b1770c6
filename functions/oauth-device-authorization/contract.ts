import * as z from 'zod/mini'
import { tokenError } from '../../lib/http/answer/tokenErrors.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named, nullAsAbsent } from '../../lib/http/schema.ts'

/** POST /api/oauth/device_authorization (RFC 8628 §3.1, §3.2). */
export const contract = {
  body: z.object({
    client_id: described('The client’s id', z.string()),
    client_secret: described('The client’s secret; a public client omits it or sends an empty string', z.string()),
    scope: described('What the user is asked for, separated by spaces', nullAsAbsent(z.string())),
  }),
  responses: {
    200: named(
      'DeviceAuthorization',
      z.strictObject({
        device_code: described('For the device, which polls with it: good for tokens once', z.string()),
        user_code: described(
          'For the user: 8 consonants and a hyphen. Capitals, hyphens and spaces do not matter',
          z.string(),
        ),
        verification_uri: described('The page on which the user types the code', z.url()),
        expires_in: described('Seconds until both codes expire', z.int()),
        interval: described('Seconds between two polls, at least', z.int()),
      }),
    ),
    400: tokenError(['invalid_request', 'unauthorized_client', 'invalid_scope']),
    401: tokenError(['invalid_client']),
  },
} as const satisfies Contract
