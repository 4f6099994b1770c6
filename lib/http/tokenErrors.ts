import * as z from 'zod'
import { OAuthError, type OAuthErrorCode } from '../oauth/errors.ts'
import type { Answer } from './answer.ts'
import { answerInTable, errorAnswer } from './answerErrors.ts'
import { triedBasic } from './clientCredentials.ts'
import type { HttpEvent } from './contract.ts'
import { ValidationError } from './errors.ts'

/** The error object of RFC 6749 §5.2, which a contract lists for these codes; `detail` repeats `error_description`, as everywhere in the API. */
export function tokenError<const Codes extends readonly OAuthErrorCode[]>(codes: Codes) {
  return z.object({ error: z.literal(codes), error_description: z.string(), detail: z.string() })
}

/** The answer to a failure at an endpoint for clients: a `tokenError`; 422 as everywhere. */
export function tokenErrorAnswer(thrown: unknown, event: HttpEvent): Answer {
  if (thrown instanceof ValidationError) return errorAnswer(thrown)
  const { status, detail, headers } = answerInTable(thrown)
  return {
    status,
    body: { error: oauthErrorName(thrown, status), error_description: detail, detail },
    headers: { ...headers, ...(status === 401 && triedBasic(event) && { 'www-authenticate': 'Basic realm="oauth"' }) },
  }
}

/**
 * RFC 6749 §5.2 has no code for failures of the server: these are §4.1.2.1's. 429 is `temporarily_unavailable`, which covers overload;
 * `slow_down` (RFC 8628 §3.5) is for devices that poll.
 */
function oauthErrorName(thrown: unknown, status: number): string {
  if (thrown instanceof OAuthError) return thrown.code
  if (status === 503 || status === 429) return 'temporarily_unavailable'
  return status < 500 ? 'invalid_request' : 'server_error'
}
