import type { LinkDeps, MailDeps } from '../deps.ts'
import { UserError } from '../errors.ts'
import { findLink, requireLinkUsed } from '../links/accountLinks.ts'
import { isLinkPassword, type LinkPasswordDeps } from '../links/openLink.ts'
import { type LinkRequest, sendLink } from '../links/sendLink.ts'
import { alreadyVerified, verificationMail } from '../mails.ts'
import type { AccountLink, User } from '../ports.ts'

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
 * Marks the address that the link was sent to as verified when no password is needed (`openLink`). Returns the link.
 * @throws UserError `link_invalid`; CommonError `service_unavailable`
 */
export async function verifyEmail(deps: LinkDeps, token: string): Promise<{ link: AccountLink }> {
  const { use } = await findLink(deps, { purpose: 'verify_email', token })
  requireLinkUsed(await deps.accounts.verifyEmail(use), use)
  return { link: use.link }
}
