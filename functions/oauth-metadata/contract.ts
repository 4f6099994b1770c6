import type { Contract } from '../../lib/http/contract.ts'
import { serverMetadata } from '../../lib/oauth/client/metadata.ts'

/** GET /.well-known/oauth-authorization-server (RFC 8414 §2, RFC 9207 §3) */
export const contract = { responses: { 200: serverMetadata } } as const satisfies Contract
