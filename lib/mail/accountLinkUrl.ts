/** The action of a link in a mail. Opening the link changes nothing: its page has a button. */
export type LinkPurpose =
  | 'verify_email'
  | 'reset_password'
  | 'change_email'
  | 'undo_email_change'
  | 'confirm_factor_reset'
  | 'undo_factor'
  | 'restore_account'
  | 'invitation'

/** The hosted forms that send a mail. The sign-in page and some mails link to them. */
export type AccountFormPurpose = 'forgot_password' | 'register' | 'resend_verification'

/** The path of the pages of links and forms. */
export const ACCOUNT_LINK_PATH = '/api/auth/link'

/**
 * The URL of a link in a mail: `<base>/api/auth/link?purpose=...&token=...`.
 * @param baseUrl base URL of the API, with or without a trailing slash
 * @throws TypeError if the base is not a URL
 */
export function accountLinkUrl(baseUrl: string, purpose: LinkPurpose, token: string): string
/** The URL of a form, for a mail without its own link. */
export function accountLinkUrl(baseUrl: string, purpose: AccountFormPurpose): string
export function accountLinkUrl(baseUrl: string, purpose: LinkPurpose | AccountFormPurpose, token?: string): string {
  const url = new URL(baseUrl.replace(/\/+$/, '') + ACCOUNT_LINK_PATH)
  url.searchParams.set('purpose', purpose)
  if (token !== undefined) url.searchParams.set('token', token)
  return url.href
}
