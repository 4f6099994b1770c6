/** The options of a sign-in. */
export interface SignInOptions {
  /** The page that the user wanted; `completeSignIn` returns it. */
  readonly returnTo?: string
  /** More of the authorization request: `scope`, `login_hint`, `ui_locales`, `max_age`, `prompt`. */
  readonly parameters?: Readonly<Record<string, string>>
}
