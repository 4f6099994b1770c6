import type { Caller } from '../../core/identity.ts'
import type { Language } from '../../core/language.ts'
import type { MailDeps } from '../deps.ts'
import { emailKey } from '../emailKey.ts'
import { issueLink } from '../links/accountLinks.ts'
import { spendMail } from '../mailBudget.ts'
import { emailChangeConfirm, emailChangeNotice } from '../mails.ts'
import { withCurrentPassword } from '../password/changePassword.ts'

/**
 * Sends a link to the new address and a notice to the current address. Nothing changes until the link is used. Does not check whether
 * another account has the new address, so callers cannot find out. The current address in another case counts as new.
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
  await deps.mailer.send(emailChangeNotice(look, { to: user.email, accountUrl: deps.accountUrl }))
  await deps.mailer.send(emailChangeConfirm(look, { to: email, ...link }))
}
