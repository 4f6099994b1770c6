import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import type { AccountDeps, MailDeps } from '../deps.ts'
import { emailKey } from '../emailKey.ts'
import { findLink, requireLinkUsed } from '../links/accountLinks.ts'
import { type LinkRequest, sendLink } from '../links/sendLink.ts'
import { passwordChanged, passwordResetMail } from '../mails.ts'
import type { AccountLink, KnownBrowserCookie } from '../ports.ts'
import { requireGoodPassword } from './goodPassword.ts'
import { type KnownBrowserDeps, rememberBrowser } from './knownBrowser.ts'

/** Dependencies of resetting a password. */
export interface ResetDeps extends AccountDeps, KnownBrowserDeps {}

/** A new password, and the token of a mail. */
interface Reset {
  token: string
  password: string
  language: Language
  /** The cookie of a known browser, as it was sent. */
  knownBrowser: string | undefined
}

/**
 * Sends a link to reset the password. Only the mail reveals whether the address has an account.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export function forgotPassword(deps: MailDeps, request: LinkRequest): Promise<void> {
  return sendLink(deps, request, 'reset_password', (look, _, link) => passwordResetMail(look, link))
}

/**
 * Sets a new password, ends all sessions, and sends the user a notice. Marks the address as verified, because the link was sent there.
 * Returns the link and the cookie of a known browser: the user can sign in at once, even if strangers have used up the account's tries.
 * @param purpose a link that verifies an address can set the password as well
 * @throws UserError `link_invalid`; RefusedPasswordError if the link is valid; CommonError `service_unavailable`
 */
export async function resetPassword(
  deps: ResetDeps,
  { token, password, language, knownBrowser }: Reset,
  purpose: 'reset_password' | 'verify_email' = 'reset_password',
): Promise<{ link: AccountLink; knownBrowser: KnownBrowserCookie }> {
  const { use, account } = await findLink(deps, { purpose, token })
  await requireGoodPassword(deps, { password, field: 'password', ...account.user })
  const passwordHash = await deps.passwords.hash(password)
  const to = { passwordHash, keptFamily: undefined }
  requireLinkUsed(await deps.accounts.resetPassword(use, to), use)
  const { id, email } = account.user
  await deps.activity.record(id, 'password_reset')
  await notify(deps, passwordChanged({ branding: deps.branding, language }, { to: email }))
  return { link: use.link, knownBrowser: await rememberBrowser(deps, knownBrowser, emailKey(email)) }
}
