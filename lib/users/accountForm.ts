/** The hosted forms that send a mail. The sign-in page links to them. */
export type AccountFormPurpose = 'forgot_password' | 'register'

/** The path of a form, relative to the origin. */
export function accountFormPath(purpose: AccountFormPurpose): string {
  return `/api/auth/link?purpose=${purpose}`
}

/** The problem of each field, as a sentence for people. */
export interface AccountFormProblems {
  readonly email?: string
  readonly username?: string
  readonly password?: string
}

/** The outcome of a submitted form. `mail_sent` does not reveal whether there is such an account. */
export type AccountFormOutcome =
  | { readonly outcome: 'mail_sent' }
  | { readonly outcome: 'invalid' | 'username_taken'; readonly problems: AccountFormProblems }
