/** Why the end of a session is answered with an error page: where it asks to be sent on to cannot be trusted. */
export type UntrustedEnd = 'repeated_parameter' | 'unknown_client' | 'untrusted_redirect_uri'

/** What the end-of-session endpoint answers next. */
export type EndSessionStep =
  | { readonly step: 'untrusted'; readonly reason: UntrustedEnd }
  | {
      /** Somebody is signed in, and has to say that they want to sign out. */
      readonly step: 'confirm'
      readonly email: string
      /** The client that asks, where it says who it is. */
      readonly clientName: string | undefined
      /** Where the answer to the form leads to; a page of our own where undefined. */
      readonly location: string | undefined
    }
  /** Nobody is signed in in this browser, or nobody any more. */
  | { readonly step: 'ended'; readonly location: string | undefined }
