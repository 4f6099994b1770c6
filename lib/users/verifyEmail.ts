import type { LinkDeps, MailDeps } from './accountDeps.ts'
import { findLink, requireLinkUsed } from './accountLinks.ts'
import { alreadyVerified, verifyEmail as verifyEmailMail } from './mails.ts'
import type { User } from './ports.ts'
import { type LinkRequest, sendLink } from './sendLink.ts'

/**
 * Sends the link that verifies an address, once more. Whether there is such an account shows in the mail only.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export function requestVerification(deps: MailDeps, request: LinkRequest): Promise<void> {
  return sendLink(deps, request, 'verify_email', (user, link) =>
    user.isVerified ? alreadyVerified(link) : verifyEmailMail(link),
  )
}

/**
 * The user whose address a link has proven.
 * @throws UserError `link_invalid`; CommonError `service_unavailable`
 */
export async function verifyEmail(deps: LinkDeps, token: string): Promise<User> {
  const { use, account } = await findLink(deps, { purpose: 'verify_email', token })
  requireLinkUsed(await deps.accounts.verifyEmail(use))
  return { ...account.user, isVerified: true }
}
