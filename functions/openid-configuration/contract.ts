import * as z from 'zod/mini'
import { type Contract, documentHeaders } from '../../lib/http/contract.ts'
import { described } from '../../lib/http/schema.ts'
import { names, serverMetadata } from '../../lib/oauth/client/metadata.ts'

/** GET /.well-known/openid-configuration (OpenID Connect Discovery 1.0 §3) */
export const contract = {
  responses: {
    200: z.extend(serverMetadata, {
      userinfo_endpoint: described('Where clients read claims of the user', z.url()),
      end_session_endpoint: described('Where clients sign users out', z.url()),
      prompt_values_supported: described('Every `prompt`', names),
      acr_values_supported: described('Every `acr`', names),
      subject_types_supported: described('Every kind of `sub`', names),
      id_token_signing_alg_values_supported: described('The algorithms that sign id_tokens', names),
      claim_types_supported: described('Every kind of claim', names),
      claims_supported: described('Every claim', names),
      claims_parameter_supported: described('`claims` is not read', z.literal(false)),
      request_parameter_supported: described('`request` is not read', z.literal(false)),
      request_uri_parameter_supported: described('`request_uri` is not read', z.literal(false)),
    }),
    304: z.undefined(),
  },
  answerHeaders: documentHeaders,
} as const satisfies Contract
