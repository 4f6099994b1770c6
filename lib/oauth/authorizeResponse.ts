/** Error codes of the authorization endpoint: RFC 6749 §4.1.2.1, and OpenID Connect Core §3.1.2.6 for `prompt=none`. */
export type AuthorizeErrorCode =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'login_required'
  | 'consent_required'

/** Where a response goes: a redirect URI that is registered for the client, and the state to hand back. */
export interface ResponseTarget {
  redirectUri: string
  state: string | undefined
}

/** A code, or why there is none; the description is for the client's developer. */
export type AuthorizeResponse = { code: string } | { error: AuthorizeErrorCode; error_description: string }

/**
 * The address that takes a response to the client (RFC 6749 §4.1.2), a query that is registered kept as it is. `iss` is in every
 * response, errors included (RFC 9207 §2), so that no client takes a code of ours to another server.
 */
export function responseLocation(
  { redirectUri, state }: ResponseTarget,
  issuer: string,
  response: AuthorizeResponse,
): string {
  const members = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${members}`
}
