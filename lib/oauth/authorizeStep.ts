/** Why a request for authorization is answered with a page of our own: there is no address that its answer could go to. */
export type UntrustedReason = 'unknown_client' | 'untrusted_redirect_uri'

/** What the browser is to hold from now on: the secret of a session that begins or lives on, or nothing. */
export type SessionChange = { readonly started: string; readonly maxAgeSeconds: number } | 'ended'

/** What the authorization endpoint answers next: a page, or where to go. */
export type AuthorizeStep =
  /** Nobody to send back to (RFC 6749 §4.1.2.1). */
  | { readonly step: 'untrusted'; readonly reason: UntrustedReason }
  | {
      readonly step: 'login'
      readonly clientName: string
      /** What to fill in for the e-mail address. */
      readonly email: string
      readonly problem?: LoginProblem
      /** Origin of the client's redirect URI, which the answer to the form may lead to. */
      readonly returnsTo: string
    }
  | {
      readonly step: 'consent'
      readonly clientName: string
      readonly email: string
      readonly scopes: readonly string[]
      readonly returnsTo: string
    }
  /** The same endpoint once more, with this query. */
  | { readonly step: 'again'; readonly query: string; readonly session?: SessionChange }
  /** The client's redirect URI with the response in it. */
  | { readonly step: 'respond'; readonly location: string }

/** Why a sign-in is asked for again. */
export type LoginProblem =
  | { readonly code: 'wrong_credentials' }
  | { readonly code: 'too_many_attempts'; readonly retryAfterSeconds: number }
