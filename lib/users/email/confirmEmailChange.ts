import { CommonError } from '../../core/errors.ts'
import type { Caller } from '../../core/identity.ts'
import type { Language } from '../../core/language.ts'
import { notify } from '../../mail/notify.ts'
import type { MailDeps } from '../deps.ts'
import { emailKey } from '../emailKey.ts'
import { UserError } from '../errors.ts'
import { findLink, issueLink, requireLinkUsed, UNDO_MINUTES } from '../links/accountLinks.ts'
import { isLinkPassword } from '../links/openLink.ts'
import { emailChanged, newEmailInUse } from '../mails.ts'
import type { AccountLink, Callers, User } from '../ports.ts'

/**
 * Changes the account's email address as `confirmEmailChange` does, if the password is the account's. A caller in the session that asked for the change needs no password. The
 * token alone is not enough: if the new address is mistyped, a stranger gets it. A wrong password leaves the link unused.
 * @param caller the access token of the request, if it has one
 * @throws UserError `link_invalid`, `wrong_password`, `email_taken`; TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function confirmEmailChangeAs(
  deps: MailDeps & { readonly callers: Callers },
  { caller, password, ...change }: { caller?: Caller | undefined; password?: string | undefined } & EmailChange,
): Promise<User> {
  const { use, account } = await findLink(deps, { purpose: 'change_email', token: change.token })
  const isProven =
    (await hasAskedForChange(deps, caller, use.link)) ||
    (password !== undefined && (await isLinkPassword(deps, { digest: use.digest, account }, password)))
  if (!isProven) throw new UserError('wrong_password')
  return (await confirmEmailChange(deps, change)).user
}

/** False as well if the session of the access token has ended. */
async function hasAskedForChange(
  { callers }: { readonly callers: Callers },
  caller: Caller | undefined,
  { userId, familyId }: AccountLink,
): Promise<boolean> {
  if (caller === undefined || caller.userId !== userId || caller.familyId === undefined) return false
  if (caller.familyId !== familyId) return false
  try {
    await callers.requireLive(caller)
    return true
  } catch (error) {
    if (error instanceof CommonError && error.code === 'invalid_token') return false
    throw error
  }
}

/** The token of a mail to a new address. */
interface EmailChange {
  readonly token: string
  /** Of the mails about the change. */
  readonly language: Language
}

/**
 * Changes the account's email address to the address that the link was sent to, and marks it as verified. Ends every session and grant
 * except those of the client that asked for the change, and voids the links in earlier mails. The old address first gets a mail with a link
 * that undoes the change for 7 days: if that mail fails, nothing changes; if the change fails after it, the mail was sent in vain.
 * Returns the user and the link.
 * @throws UserError `link_invalid`; `email_taken` if another account has the address; CommonError `service_unavailable`
 */
export async function confirmEmailChange(
  deps: MailDeps,
  { token, language }: EmailChange,
): Promise<{ user: User; link: AccountLink }> {
  const { use, account } = await findLink(deps, { purpose: 'change_email', token })
  const { user, securityRev } = account
  const { email } = use.link
  const holder = await deps.accounts.findByEmail(emailKey(email))
  if (holder?.user.isVerified && holder.user.id !== user.id) throw new UserError('email_taken')
  const former = { change: use.digest, email: user.email, validUntil: use.now + UNDO_MINUTES * 60_000 }
  const undo = { purpose: 'undo_email_change', userId: user.id, email: user.email, securityRev } as const
  const link = await issueLink(deps, { ...undo, change: use.digest })
  const look = { branding: deps.branding, language }
  await deps.mailer.send(emailChanged(look, { to: user.email, ...link }))
  const undoable = account.formerEmails.filter(({ validUntil }) => use.now < validUntil)
  const outcome = await deps.accounts.changeEmail(use, [...undoable, former])
  requireLinkUsed(outcome, use)
  await deps.activity.record(user.id, 'email_changed')
  await notify(deps, newEmailInUse(look, { to: email }))
  return { user: { ...user, email, isVerified: true }, link: use.link }
}
