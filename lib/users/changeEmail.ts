import type { UserId } from '../core/ids.ts'
import type { LinkDeps, MailDeps } from './accountDeps.ts'
import { findLink, issueLink, requireLinkUsed } from './accountLinks.ts'
import { emailKey } from './emailKey.ts'
import { UserError } from './errors.ts'
import { emailChangeConfirm, emailChangeNotice } from './mails.ts'
import type { User } from './ports.ts'
import { throttle } from './throttle.ts'
import { withCurrentPassword } from './withCurrentPassword.ts'

/**
 * Sends a link to the new address, and a notice to the one in use; nothing changes until the link is used. Whether another account
 * has the new address is not asked, so nobody can learn it here. The own address in another case is a new one like any.
 * @throws UserError `wrong_password`; TooManyAttemptsError; CommonError `unauthorized`, `service_unavailable`
 */
export async function requestEmailChange(
  deps: MailDeps,
  userId: UserId,
  { email, currentPassword }: { email: string; currentPassword: string },
): Promise<void> {
  const { user, securityRev } = await withCurrentPassword(deps, userId, currentPassword)
  await throttle(deps, { kind: 'mail', subject: emailKey(email) })
  const link = await issueLink(deps, { purpose: 'change_email', userId, email, securityRev })
  await deps.mailer.send(emailChangeNotice({ to: user.email }))
  await deps.mailer.send(emailChangeConfirm({ to: email, ...link }))
}

/**
 * Gives an account the address that the link has proven, if it is free now. Links in earlier mails are void from then on.
 * @throws UserError `link_invalid`, `email_already_exists`; CommonError `service_unavailable`
 */
export async function confirmEmailChange(deps: LinkDeps, token: string): Promise<User> {
  const { use, account } = await findLink(deps, { purpose: 'change_email', token })
  const outcome = await deps.accounts.changeEmail(use, { email: account.user.email })
  if (outcome === 'email_taken') throw new UserError('email_already_exists')
  requireLinkUsed(outcome)
  return { ...account.user, email: use.link.email, isVerified: true }
}
