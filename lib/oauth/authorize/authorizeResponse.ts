/** Error codes of the authorization endpoint: RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6, and RFC 9470 §5 for `acr_values`. */
export type AuthorizeErrorCode =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'login_required'
  | 'consent_required'
  | 'unmet_authentication_requirements'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'

/** Where a response goes: a redirect URI that is registered for the client, and the state to return. */
export interface ResponseTarget {
  redirectUri: string
  state: string | undefined
}

/** A code, or why there is none; the description is for the client's developer. */
type AuthorizeResponse = { code: string } | { error: AuthorizeErrorCode; error_description: string }

/**
 * The redirect URI with the response in its query (RFC 6749 §4.1.2); a registered query is kept. `iss` is in every response, errors
 * included (RFC 9207 §2), so that no client sends a code of this server to another one.
 */
export function responseLocation(
  { redirectUri, state }: ResponseTarget,
  issuer: string,
  response: AuthorizeResponse,
): string {
  const members = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${members}`
}
