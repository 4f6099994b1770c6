import type { LinkDeps, MailDeps } from '../deps.ts'
import { emailKey } from '../emailKey.ts'
import { UserError } from '../errors.ts'
import { findLink, requireLinkUsed } from '../links/accountLinks.ts'
import { isLinkPassword, type LinkPasswordDeps } from '../links/openLink.ts'
import { type LinkRequest, sendLink } from '../links/sendLink.ts'
import { alreadyVerified, verificationMail } from '../mails.ts'
import { type KnownBrowserDeps, rememberBrowser } from '../password/knownBrowser.ts'
import type { AccountLink, ProvenUser, User } from '../ports.ts'

/**
 * Sends the link that verifies an address again. Only the mail reveals whether the address has an account.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export function requestVerification(deps: MailDeps, request: LinkRequest): Promise<void> {
  return sendLink(deps, request, 'verify_email', (look, user, link) =>
    user.isVerified ? alreadyVerified(look, link) : verificationMail(look, link),
  )
}

/**
 * Marks the address that the link was sent to as verified if the password is the account's. Returns the user. The token alone is not
 * enough: anyone can register an account with another person's address, who gets the mail and would verify it for them. A wrong password
 * leaves the link unused.
 * @throws UserError `link_invalid`, `wrong_password`; TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function verifyEmailWithPassword(
  deps: LinkDeps & LinkPasswordDeps,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<User> {
  const { use, account } = await findLink(deps, { purpose: 'verify_email', token })
  if (!(await isLinkPassword(deps, { digest: use.digest, account }, password))) throw new UserError('wrong_password')
  requireLinkUsed(await deps.accounts.verifyEmail(use), use)
  return { ...account.user, isVerified: true }
}

/**
 * Verifies the address in the browser that registered the account: it gave the password then, so its user is signed in.
 * @param knownBrowser the cookie of a known browser, as it was sent
 * @throws UserError `link_invalid`; CommonError `service_unavailable`
 */
export async function verifyOwnEmail(
  deps: LinkDeps & KnownBrowserDeps,
  { token, knownBrowser }: { readonly token: string; readonly knownBrowser: string | undefined },
): Promise<{ link: AccountLink; provenUser: ProvenUser }> {
  const { link } = await verifyEmail(deps, token)
  const { userId: id, email, securityRev } = link
  const cookie = await rememberBrowser(deps, knownBrowser, emailKey(email))
  return { link, provenUser: { user: { id, email, securityRev }, knownBrowser: cookie } }
}

/**
 * Marks the address that the link was sent to as verified when the form has proven the password, or needs none (`openLink`). Returns the link.
 * @throws UserError `link_invalid`; CommonError `service_unavailable`
 */
export async function verifyEmail(deps: LinkDeps, token: string): Promise<{ link: AccountLink }> {
  const { use } = await findLink(deps, { purpose: 'verify_email', token })
  requireLinkUsed(await deps.accounts.verifyEmail(use), use)
  return { link: use.link }
}
