import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'

const names = z.array(z.string()).check(z.minLength(1))

/** GET /.well-known/oauth-authorization-server (RFC 8414 §2, RFC 9207 §3) */
export const contract = {
  responses: {
    200: z.strictObject({
      issuer: z.url(),
      authorization_endpoint: z.url(),
      token_endpoint: z.url(),
      revocation_endpoint: z.url(),
      introspection_endpoint: z.url(),
      jwks_uri: z.url(),
      scopes_supported: names,
      response_types_supported: names,
      response_modes_supported: names,
      grant_types_supported: names,
      code_challenge_methods_supported: names,
      ui_locales_supported: names,
      token_endpoint_auth_methods_supported: names,
      revocation_endpoint_auth_methods_supported: names,
      introspection_endpoint_auth_methods_supported: names,
      authorization_response_iss_parameter_supported: z.literal(true),
    }),
  },
} as const satisfies Contract
