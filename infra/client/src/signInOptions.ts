/** What a sign-in is begun with. */
export interface SignInOptions {
  /** Given back by `completeSignIn`: where the user wanted to be. */
  readonly returnTo?: string
  /** More of the authorization request: `scope`, `login_hint`, `ui_locales`, `max_age`, `prompt`. */
  readonly parameters?: Readonly<Record<string, string>>
}
