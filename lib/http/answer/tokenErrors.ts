import * as z from 'zod/mini'
import { type GrantReason, OAuthError, type OAuthErrorCode } from '../../oauth/errors.ts'
import type { HttpEvent } from '../contract.ts'
import { ValidationError } from '../errors.ts'
import { triedBasic } from '../request/clientCredentials.ts'
import { described, named } from '../schema.ts'
import type { Answer } from './answer.ts'
import { answerInTable, errorAnswer } from './answerErrors.ts'
import { errorMembers } from './errorBody.ts'

/** The error object of RFC 6749 §5.2 with the members of every error beside it; `detail` repeats `error_description`. */
export const oauthErrorBody = named(
  'OAuthError',
  z.object({
    error: described('The name of the error in RFC 6749 §5.2', z.string()),
    error_description: described('What went wrong, for developers', z.string()),
    ...errorMembers,
  }),
)

/** An `oauthErrorBody` with any of these codes: a contract's schema for a status that refuses a client. */
export function tokenError<const Codes extends readonly OAuthErrorCode[]>(codes: Codes) {
  return z.extend(oauthErrorBody, { error: z.literal(codes), code: z.literal(codes) })
}

/** The answer to a failure at an endpoint for clients: a `tokenError`; 422 as everywhere. */
export function tokenErrorAnswer(thrown: unknown, event: HttpEvent): Answer {
  if (thrown instanceof ValidationError) return errorAnswer(thrown, event)
  const { status, code, headers, ...general } = answerInTable(thrown)
  const detail = sentenceOf(thrown) ?? general.detail
  const error = oauthErrorName(thrown, status)
  return {
    status,
    body: { error, error_description: detail, detail, code, request_id: event.requestContext.requestId },
    headers: { ...headers, ...(status === 401 && triedBasic(event) && { 'www-authenticate': 'Basic realm="oauth"' }) },
  }
}

const grantReasons = {
  code_verifier_differs: 'The code_verifier does not match the code_challenge of the authorization request',
  no_code_challenge: 'A public client sends a code_challenge with its authorization request',
  redirect_uri_differs: 'The redirect_uri is not that of the authorization request',
  refresh_token_expired: 'The refresh token has expired: sign in again',
} as const satisfies Record<GrantReason, string>

/** What the refusal says beyond its code; undefined if nothing. */
function sentenceOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof OAuthError)) return undefined
  const { parameter, reason } = thrown
  if (reason !== undefined) return grantReasons[reason]
  if (parameter === undefined) return undefined
  return `The parameter ${parameter.name} is ${parameter.fault === 'missing' ? 'missing' : 'repeated or malformed'}`
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
