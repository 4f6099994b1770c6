/** What a form that ends in a mail is for. The sign-in page links to it: nobody needs a link of a mail to open it. */
export type AccountFormPurpose = 'forgot_password' | 'register'

/** Where such a form is. */
export function accountFormPath(purpose: AccountFormPurpose): string {
  return `/api/auth/link?purpose=${purpose}`
}

/** What is wrong with each of its fields, in words for people. */
export interface AccountFormProblems {
  readonly email?: string
  readonly username?: string
  readonly password?: string
}

/** What became of a form that was sent. That a mail is on its way does not say whether there is such an account. */
export type AccountFormOutcome =
  | { readonly outcome: 'mail_sent' }
  | { readonly outcome: 'invalid' | 'username_taken'; readonly problems: AccountFormProblems }
