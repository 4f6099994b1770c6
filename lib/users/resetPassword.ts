import type { AccountDeps, MailDeps } from './accountDeps.ts'
import { findLink, requireLinkUsed } from './accountLinks.ts'
import { emailKey } from './emailKey.ts'
import { notify, passwordChanged, resetPassword as resetPasswordMail } from './mails.ts'
import { requireUncommon } from './newPassword.ts'
import { type LinkRequest, sendLink } from './sendLink.ts'

/**
 * Sends the link with which a forgotten password is replaced. Whether there is such an account shows in the mail only.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export function forgotPassword(deps: MailDeps, request: LinkRequest): Promise<void> {
  return sendLink(deps, request, 'reset_password', (_, link) => resetPasswordMail(link))
}

/**
 * Sets a new password, signs the user out everywhere, and tells them. The link has proven the address, so it is verified; failed
 * attempts to sign in are forgotten, for whoever was locked out has the mailbox.
 * @throws CommonPasswordError; UserError `link_invalid`; CommonError `service_unavailable`
 */
export async function resetPassword(
  deps: AccountDeps,
  { token, password }: { token: string; password: string },
): Promise<void> {
  await requireUncommon(deps.commonPasswords, password, 'password')
  const { use, account } = await findLink(deps, { purpose: 'reset_password', token })
  const passwordHash = await deps.passwords.hash(password)
  const to = { passwordHash, signedOutAt: use.now, keptFamily: undefined }
  requireLinkUsed(await deps.accounts.resetPassword(use, to))
  const { email } = account.user
  await deps.attempts.forget({ kind: 'sign_in', subject: emailKey(email) })
  await notify(deps, passwordChanged({ to: email }))
}
