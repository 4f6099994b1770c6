/** What a link in a mail does. Opening it changes nothing: the page behind it has a button. */
export type LinkPurpose = 'verify_email' | 'reset_password' | 'change_email' | 'invitation'

/**
 * The URL of a link in a mail: `<base>/api/auth/link?purpose=...&token=...`.
 * @param baseUrl base URL of the API, with or without a trailing slash
 * @throws TypeError when the base is not a URL
 */
export function accountLinkUrl(baseUrl: string, purpose: LinkPurpose, token: string): string {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/api/auth/link`)
  url.searchParams.set('purpose', purpose)
  url.searchParams.set('token', token)
  return url.href
}
