import type { Caller } from '../core/identity.ts'
import type { Language } from '../core/language.ts'
import type { LinkDeps, MailDeps } from './accountDeps.ts'
import { findLink, issueLink, requireLinkUsed } from './accountLinks.ts'
import { emailKey } from './emailKey.ts'
import { UserError } from './errors.ts'
import { spendMail } from './mailBudget.ts'
import { emailChangeConfirm, emailChangeNotice } from './mails.ts'
import type { AccountLink, User } from './ports.ts'
import { withCurrentPassword } from './withCurrentPassword.ts'

/**
 * Sends a link to the new address and a notice to the current one. Nothing changes until the link is used. Does not check whether
 * another account has the new address, so callers cannot learn that. The current address in another case counts as a new one.
 * @throws UserError `wrong_password`; TooManyAttemptsError; CommonError `invalid_token`, `service_unavailable`
 */
export async function requestEmailChange(
  deps: MailDeps,
  caller: Caller,
  { email, currentPassword, language }: { email: string; currentPassword: string; language: Language },
): Promise<void> {
  const { user, securityRev } = await withCurrentPassword(deps, caller, currentPassword)
  const { userId, familyId } = caller
  await spendMail(deps, [
    { kind: 'email_change_by_user', subject: userId },
    { kind: 'email_change', subject: emailKey(email) },
  ])
  const link = await issueLink(deps, { purpose: 'change_email', userId, email, securityRev, familyId })
  const look = { branding: deps.branding, language }
  await deps.mailer.send(emailChangeNotice(look, { to: user.email }))
  await deps.mailer.send(emailChangeConfirm(look, { to: email, ...link }))
}

/**
 * Changes the account's email address to the one that the link was sent to, verified. Ends all sessions and grants but those of the client
 * that asked for it, and voids the links in earlier mails. Returns the user, and the link.
 * @throws UserError `link_invalid`, `email_already_exists` when another account has the address; CommonError `service_unavailable`
 */
export async function confirmEmailChange(deps: LinkDeps, token: string): Promise<{ user: User; link: AccountLink }> {
  const { use, account } = await findLink(deps, { purpose: 'change_email', token })
  const outcome = await deps.accounts.changeEmail(use, { email: account.user.email })
  if (outcome === 'email_taken') throw new UserError('email_already_exists')
  requireLinkUsed(outcome, use)
  return { user: { ...account.user, email: use.link.email, isVerified: true }, link: use.link }
}
