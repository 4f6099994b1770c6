import * as z from 'zod/mini'
import { tokenError } from '../../lib/http/answer/tokenErrors.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named, nullAsAbsent } from '../../lib/http/schema.ts'

const optionalString = nullAsAbsent(z.string())

/** POST /api/oauth/token. `grant_type` is any string: if the type is unsupported, the answer is an OAuth error, not 422. */
export const contract = {
  body: z.object({
    client_id: described('The client’s id', z.string()),
    client_secret: described('The client’s secret; a public client omits it or sends an empty string', z.string()),
    grant_type: described(
      '`authorization_code`, `refresh_token`, `client_credentials` or `urn:ietf:params:oauth:grant-type:device_code`; any other is `unsupported_grant_type`',
      z.string(),
    ),
    code: described('The code that the authorization endpoint answered', optionalString),
    redirect_uri: described('The `redirect_uri` of the authorization request, if it had one', optionalString),
    code_verifier: described('For the `code_challenge` of the authorization request (RFC 7636)', optionalString),
    refresh_token: described('The refresh token of the last answer', optionalString),
    device_code: described('What `POST /api/oauth/device_authorization` answered to a device', optionalString),
    scope: described('With a refresh token: at most the granted scope', optionalString),
  }),
  responses: {
    200: named(
      'Token',
      z.strictObject({
        access_token: described('For `Authorization: Bearer`', z.string()),
        token_type: described('How the access token is sent', z.literal('Bearer')),
        expires_in: described('Seconds until the access token expires', z.int()),
        refresh_token: described('For the next tokens; left out for clients without a user', z.optional(z.string())),
        id_token: described(
          'Who signed in (OpenID Connect); left out without the scope `openid`',
          z.optional(z.string()),
        ),
        scope: described(
          'What was granted, separated by spaces; left out if it is what was asked for',
          z.optional(z.string()),
        ),
      }),
    ),
    400: tokenError([
      'invalid_request',
      'invalid_grant',
      'unauthorized_client',
      'unsupported_grant_type',
      'invalid_scope',
      'authorization_pending',
      'slow_down',
      'access_denied',
      'expired_token',
    ]),
    401: tokenError(['invalid_client']),
  },
} as const satisfies Contract
