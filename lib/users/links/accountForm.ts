import { ACCOUNT_LINK_PATH, type AccountFormPurpose } from '../../mail/accountLinkUrl.ts'
import type { AccountFormProblems } from '../ports.ts'

/**
 * The path of a form, relative to the origin.
 * @param request query of the authorization request that the form leads back to
 */
export function accountFormPath(purpose: AccountFormPurpose, request?: string): string {
  return `${ACCOUNT_LINK_PATH}?${new URLSearchParams({ purpose, ...(request && { request }) })}`
}

/** The outcome of a submitted form. `mail_sent` does not reveal whether the account exists. */
export type AccountFormOutcome =
  | { readonly outcome: 'mail_sent' }
  | { readonly outcome: 'invalid' | 'username_taken'; readonly problems: AccountFormProblems }
