/** The options of a sign-in. Its own file: a package that has its declaration must not need those of bundled packages. */
export interface SignInOptions {
  /** The page that the user wanted; `completeSignIn` returns it. */
  readonly returnTo?: string
  /** More of the authorization request: `scope`, `login_hint`, `ui_locales`, `max_age`, `prompt`. */
  readonly parameters?: Readonly<Record<string, string>>
}
