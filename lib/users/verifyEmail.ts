import type { LinkDeps, MailDeps } from './accountDeps.ts'
import { findLink, requireLinkUsed } from './accountLinks.ts'
import { alreadyVerified, verifyEmail as verifyEmailMail } from './mails.ts'
import type { AccountLink, User } from './ports.ts'
import { type LinkRequest, sendLink } from './sendLink.ts'

/**
 * Sends the link that verifies an address again. Only the mail reveals whether the address has an account.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export function requestVerification(deps: MailDeps, request: LinkRequest): Promise<void> {
  return sendLink(deps, request, 'verify_email', (look, user, link) =>
    user.isVerified ? alreadyVerified(look, link) : verifyEmailMail(look, link),
  )
}

/**
 * Marks the address that the link was sent to as verified, and returns its user, and the link.
 * @throws UserError `link_invalid`; CommonError `service_unavailable`
 */
export async function verifyEmail(deps: LinkDeps, token: string): Promise<{ user: User; link: AccountLink }> {
  const { use, account } = await findLink(deps, { purpose: 'verify_email', token })
  requireLinkUsed(await deps.accounts.verifyEmail(use), use)
  return { user: { ...account.user, isVerified: true }, link: use.link }
}
