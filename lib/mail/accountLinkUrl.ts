/** What a link in a mail is for; the page behind it asks for a press on a button before anything happens. */
export type LinkPurpose = 'verify_email' | 'reset_password' | 'change_email' | 'invitation'

/**
 * The address that a mail leads to: `<base>/api/auth/link?purpose=...&token=...`.
 * @param baseUrl where the API is, with or without a slash at its end
 * @throws TypeError for a base that is not a URL
 */
export function accountLinkUrl(baseUrl: string, purpose: LinkPurpose, token: string): string {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/api/auth/link`)
  url.searchParams.set('purpose', purpose)
  url.searchParams.set('token', token)
  return url.href
}
