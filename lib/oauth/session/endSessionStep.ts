/** Why the request is answered with an error page: the address that it asks to be redirected to cannot be trusted. */
export type UntrustedEnd = 'repeated_parameter' | 'untrusted_hint' | 'unknown_client' | 'untrusted_redirect_uri'

/** What the end-of-session endpoint answers next. */
export type EndSessionStep =
  | { readonly step: 'untrusted'; readonly reason: UntrustedEnd }
  | {
      /** A user is signed in, and has to confirm. */
      readonly step: 'confirm'
      readonly email: string
      /** The client that asks, where the request names it. */
      readonly clientName: string | undefined
      /** Where the browser goes afterwards; a page of this service where undefined. */
      readonly location: string | undefined
    }
  /** No user is signed in in this browser, or not any more. */
  | { readonly step: 'ended'; readonly location: string | undefined }
