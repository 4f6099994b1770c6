import type { Caller } from '../../core/identity.ts'
import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import type { MailDeps } from '../deps.ts'
import { emailKey } from '../emailKey.ts'
import { UserError } from '../errors.ts'
import { findLink, issueLink, requireLinkUsed, UNDO_MINUTES } from '../links/accountLinks.ts'
import { spendMail } from '../mailBudget.ts'
import { emailChangeConfirm, emailChanged, emailChangeNotice, newEmailInUse } from '../mails.ts'
import { withCurrentPassword } from '../password/withCurrentPassword.ts'
import type { AccountLink, User } from '../ports.ts'

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
 * that asked for it, and voids the links in earlier mails. The mail to the old address, with a link that undoes the change for 72 hours, is
 * sent before: there is no change without it, and one after a failure at worst. Returns the user, and the link.
 * @throws UserError `link_invalid`, `email_already_exists` when another account has the address; CommonError `service_unavailable`
 */
export async function confirmEmailChange(
  deps: MailDeps,
  { token, language }: { token: string; language: Language },
): Promise<{ user: User; link: AccountLink }> {
  const { use, account } = await findLink(deps, { purpose: 'change_email', token })
  const { user, securityRev } = account
  const { email } = use.link
  const holder = await deps.accounts.findByEmail(emailKey(email))
  if (holder?.user.isVerified && holder.user.id !== user.id) throw new UserError('email_already_exists')
  const former = { change: use.digest, email: user.email, validUntil: use.now + UNDO_MINUTES * 60_000 }
  const undo = { purpose: 'undo_email_change', userId: user.id, email: user.email, securityRev } as const
  const link = await issueLink(deps, { ...undo, change: use.digest })
  const look = { branding: deps.branding, language }
  await deps.mailer.send(emailChanged(look, { to: user.email, ...link }))
  const undoable = account.formerEmails.filter(({ validUntil }) => use.now < validUntil)
  const outcome = await deps.accounts.changeEmail(use, [...undoable, former])
  if (outcome === 'email_taken') throw new UserError('email_already_exists')
  requireLinkUsed(outcome, use)
  await notify(deps, newEmailInUse(look, { to: email }))
  return { user: { ...user, email, isVerified: true }, link: use.link }
}
