import type { Scope } from '../../core/scopes.ts'
import type { SignInQuestion } from '../../signIn/askSignIn.ts'
import type { SessionChange } from '../session/sessionChange.ts'

/** Why an authorization request is answered with an error page: it has no redirect URI that can be trusted (RFC 6749 §4.1.2.1). */
export type UntrustedReason = 'unknown_client' | 'untrusted_redirect_uri'

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
