import * as z from 'zod/mini'
import { type Contract, documentHeaders } from '../../lib/http/contract.ts'
import { serverMetadata } from '../../lib/oauth/client/metadata.ts'

/** GET /.well-known/oauth-authorization-server (RFC 8414 §2, RFC 9207 §3) */
export const contract = {
  responses: { 200: serverMetadata, 304: z.undefined() },
  answerHeaders: documentHeaders,
} as const satisfies Contract
