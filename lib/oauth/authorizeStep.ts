import type { Scope } from '../core/scopes.ts'
import type { KnownBrowserCookie } from '../users/ports.ts'
import type { SignInQuestion } from './hostedSignIn.ts'

/** Why an authorization request is answered with an error page: it has no redirect URI that can be trusted (RFC 6749 §4.1.2.1). */
export type UntrustedReason = 'unknown_client' | 'untrusted_redirect_uri'

/** What to do with the session cookie: set it to the secret of a session or of a sign-in that is pending, or clear it. */
export type SessionChange =
  | {
      readonly started: string
      readonly maxAgeSeconds: number
      /** The cookie by which the browser is known for the account, also after the session; undefined while the sign-in is pending. */
      readonly knownBrowser?: KnownBrowserCookie
    }
  | 'ended'

/** What the authorization endpoint answers next: a page or a redirect. */
export type AuthorizeStep =
  | { readonly step: 'untrusted'; readonly reason: UntrustedReason }
  /** A form of a sign-in. */
  | (SignInQuestion & {
      readonly clientName: string
      /** The `destinationOf` the client's redirect URI, to which the answer to the form may redirect. */
      readonly returnsTo: string
    })
  | {
      readonly step: 'consent'
      readonly clientName: string
      readonly email: string
      readonly scopes: readonly Scope[]
      /** A client of the operator's own acts with all of the user's rights, whatever it asks for. */
      readonly firstParty: boolean
      readonly returnsTo: string
    }
  /** A redirect to this endpoint with this query. */
  | { readonly step: 'again'; readonly query: string; readonly session?: SessionChange }
  /** A redirect to the client with the response. */
  | { readonly step: 'respond'; readonly location: string }
