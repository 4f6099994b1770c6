import * as z from 'zod/mini'
import { type Contract, documentHeaders } from '../../lib/http/contract.ts'
import { names, serverMetadata } from '../../lib/oauth/client/metadata.ts'

/** GET /.well-known/openid-configuration (OpenID Connect Discovery 1.0 §3) */
export const contract = {
  responses: {
    200: z.extend(serverMetadata, {
      userinfo_endpoint: z.url(),
      end_session_endpoint: z.url(),
      prompt_values_supported: names,
      acr_values_supported: names,
      subject_types_supported: names,
      id_token_signing_alg_values_supported: names,
      claim_types_supported: names,
      claims_supported: names,
      claims_parameter_supported: z.literal(false),
      request_parameter_supported: z.literal(false),
      request_uri_parameter_supported: z.literal(false),
    }),
    304: z.undefined(),
  },
  answerHeaders: documentHeaders,
} as const satisfies Contract
