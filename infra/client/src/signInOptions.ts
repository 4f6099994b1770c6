/** What a device shows its user. */
export interface DeviceCode {
  /** To be typed, such as `WDJB-MJHT`. */
  readonly userCode: string
  /** Of the page on which to type it, in any browser. */
  readonly verificationUri: string
  /** Seconds until the code expires. */
  readonly expiresIn: number
}

/** The options of a device's sign-in. */
export interface DeviceSignInOptions {
  /** Shows the code to the user. */
  readonly onCode: (code: DeviceCode) => void | Promise<void>
  /** What the user is asked for, separated by spaces. */
  readonly scope?: string | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** The options of a sign-in. Its own file: a package that has its declaration must not need those of bundled packages. */
export interface SignInOptions {
  /** The page that the user wanted; `completeSignIn` returns it. */
  readonly returnTo?: string
  /** More of the authorization request: `scope`, `login_hint`, `ui_locales`, `max_age`, `prompt`. */
  readonly parameters?: Readonly<Record<string, string>>
}
