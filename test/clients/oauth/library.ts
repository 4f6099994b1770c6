/** What a client library is given to sign a person in. */
export interface SignIn {
  /** Where discovery begins. */
  readonly issuer: string
  readonly client: RegisteredClient
  /**
   * Sends the person's browser to an authorization request, or to the page of a device, with its code after `#`.
   * @returns the address at the client that the hosted pages send it to
   */
  visit(link: string): Promise<URL>
  /** The email address of the user that the API knows an access token by. */
  emailOf(accessToken: string): Promise<string>
}

export interface RegisteredClient {
  readonly clientId: string
  /** Empty for a public client. */
  readonly clientSecret: string
  /** Empty for a device. */
  readonly redirectUri: string
}

/** What came of a sign-in, a refresh, a revocation, and a refresh after that. */
export interface SignedIn {
  /** Whose token the sign-in gave. */
  readonly signedIn: string
  /** Whose token the refresh gave. */
  readonly refreshed: string
  /** What the library says of a refresh with the revoked token. */
  readonly refusal: string
}

/** A client library that signs people in, and ends that, as its documentation says. */
export interface OauthLibrary {
  readonly name: string
  /** Whether it signs in devices without a browser (RFC 8628). */
  readonly takesDevices?: boolean
  /** @throws Error where the library refuses an answer, or the service a request */
  signIn(context: SignIn): Promise<SignedIn>
}

/** What `work` was refused with: an OAuth error code where the library knows one, or else its message. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'nothing'
  } catch (error) {
    if (!(error instanceof Error)) return String(error)
    return 'error' in error ? String(error.error) : error.message
  }
}
