import type { Authenticators } from '../../authenticators/ports.ts'
import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import type { AccountDeps, LinkDeps, MailDeps } from '../deps.ts'
import { emailKey } from '../emailKey.ts'
import { RefusedRemovalError } from '../errors.ts'
import { findLink, requireLinkUsed } from '../links/accountLinks.ts'
import { type ResetOption, removalOf, resetOptions } from '../links/removableAuthenticators.ts'
import { type LinkRequest, sendLink } from '../links/sendLink.ts'
import { passwordChanged, passwordResetMail } from '../mails.ts'
import type { AccountLink, AuthenticatorRemoval, ProvenUser } from '../ports.ts'
import { untilUnchanged } from '../untilUnchanged.ts'
import { requireGoodPassword } from './goodPassword.ts'
import { type KnownBrowserDeps, rememberBrowser } from './knownBrowser.ts'

/** Dependencies of the list of authenticators that a reset may remove. */
export interface ResetOptionsDeps extends LinkDeps {
  readonly authenticators: Authenticators
}

/** Dependencies of resetting a password. */
export interface ResetDeps extends AccountDeps, KnownBrowserDeps, Pick<ResetOptionsDeps, 'authenticators'> {}

/** A new password, and the token of a mail. */
interface Reset {
  token: string
  password: string
  language: Language
  /** The ids of authenticators to remove with the reset. */
  removeAuthenticators?: readonly string[] | undefined
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
 * Lists the authenticators of the account, with those that its reset may remove: a thief with the password may have added them. Uses
 * nothing up.
 * @throws UserError `link_invalid`; CommonError `service_unavailable`
 */
export async function readResetOptions(deps: ResetOptionsDeps, token: string): Promise<ResetOption[]> {
  const { use } = await findLink(deps, { purpose: 'reset_password', token })
  return resetOptions(await deps.authenticators.list(use.link.userId), use.link)
}

/**
 * Sets a new password, removes the named authenticators, ends all sessions, and sends the user a notice. Marks the address as verified,
 * because the link was sent there.
 * @param purpose a link that verifies an address can set the password as well
 * @throws UserError `link_invalid`; RefusedPasswordError, RefusedRemovalError if the link is valid; CommonError `service_unavailable`
 */
export async function resetPassword(
  deps: ResetDeps,
  { token, password, language, removeAuthenticators = [], knownBrowser }: Reset,
  purpose: 'reset_password' | 'verify_email' = 'reset_password',
): Promise<{ link: AccountLink; provenUser: ProvenUser }> {
  const { use, account } = await findLink(deps, { purpose, token })
  await requireGoodPassword(deps, { password, field: 'password', ...account.user })
  const to = { passwordHash: await deps.passwords.hash(password), keptFamily: undefined, setAt: use.now }
  const outcome = await untilUnchanged(async () =>
    deps.accounts.resetPassword(use, to, await readRemoval(deps, use.link, removeAuthenticators)),
  )
  requireLinkUsed(outcome, use)
  const { id, email } = account.user
  await deps.activity.record(id, 'password_reset')
  if (removeAuthenticators.length > 0) await deps.activity.record(id, 'factor_removed')
  const { branding, accountUrl } = deps
  await notify(deps, passwordChanged({ branding, language }, { to: email, accountUrl }))
  const user = { id, email, securityRev: use.link.securityRev + 1 }
  const cookie = await rememberBrowser(deps, knownBrowser, emailKey(email))
  return { link: use.link, provenUser: { user, knownBrowser: cookie } }
}

/** The removal of these authenticators; undefined if there are none. Throws RefusedRemovalError. */
async function readRemoval(
  { authenticators }: Pick<ResetOptionsDeps, 'authenticators'>,
  link: AccountLink,
  ids: readonly string[],
): Promise<AuthenticatorRemoval | undefined> {
  if (ids.length === 0) return undefined
  const own = await authenticators.list(link.userId)
  const removable = resetOptions(own, link).filter(({ isRemovable }) => isRemovable)
  const removableIds = new Set(removable.map(({ id }) => id))
  const refused = ids.findIndex((id) => !removableIds.has(id))
  if (refused >= 0) throw new RefusedRemovalError(refused)
  return removalOf(
    own,
    removable.filter(({ id }) => ids.includes(id)),
  )
}
