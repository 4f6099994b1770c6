import { formatDate } from '../core/format.ts'
import type { Mail } from '../mail/mailer.ts'
import type { MailLook } from '../mail/renderMail.ts'
import { shortMail } from '../mail/shortMail.ts'
import { texts } from '../texts/texts.ts'

/** A mail with a single-use link. */
export interface LinkMail {
  readonly to: string
  /** Built by `accountLinkUrl`. */
  readonly link: string
  readonly expiresInMinutes: number
}

/** To the address of a new account. Contains no name, because the recipient may be a stranger. */
export function verificationMail(look: MailLook, mail: LinkMail): Mail {
  return withLink(look, 'verifyEmail', mail)
}

/** To the address of an account, after a request to reset its password. */
export function passwordResetMail(look: MailLook, mail: LinkMail): Mail {
  return withLink(look, 'resetPassword', mail)
}

/** To the new address. The change takes effect when the link is used. */
export function emailChangeConfirm(look: MailLook, mail: LinkMail): Mail {
  return withLink(look, 'emailChangeConfirm', mail)
}

/** To the old address, when the change takes effect. The link undoes it. Does not name the new address. */
export function emailChanged(look: MailLook, mail: LinkMail): Mail {
  return withLink(look, 'emailChanged', mail)
}

function withLink(
  look: MailLook,
  name: 'verifyEmail' | 'resetPassword' | 'emailChangeConfirm' | 'emailChanged',
  { to, link, expiresInMinutes }: LinkMail,
): Mail {
  const { action, once, ...words } = texts[look.language].mails[name]
  return shortMail(look, words, { to, action: { label: action, link }, once: once(expiresInMinutes) })
}

/** A mail that asks for nothing. */
interface Notice {
  readonly to: string
}

/** To the current address, after a request to change it. Does not name the new address: others may read this mailbox by now. */
export function emailChangeNotice(look: MailLook, notice: Notice): Mail {
  return withoutAction(look, 'emailChangeNotice', notice)
}

/** After a password was changed or reset. */
export function passwordChanged(look: MailLook, notice: Notice): Mail {
  return withoutAction(look, 'passwordChanged', notice)
}

/** To the new address, when the change takes effect. */
export function newEmailInUse(look: MailLook, notice: Notice): Mail {
  return withoutAction(look, 'newEmailInUse', notice)
}

/** To the address that an account had until the change to it was undone. */
export function emailChangeUndone(look: MailLook, notice: Notice): Mail {
  return withoutAction(look, 'emailChangeUndone', notice)
}

function withoutAction(
  look: MailLook,
  name: 'emailChangeNotice' | 'passwordChanged' | 'newEmailInUse' | 'emailChangeUndone',
  notice: Notice,
): Mail {
  return shortMail(look, texts[look.language].mails[name], notice)
}

/** Instead of `verificationMail`, if the address has an account: only its owner finds out. Leads to the application. */
export function accountExists(look: MailLook, notice: Notice): Mail {
  return toApplication(look, 'accountExists', notice)
}

/** Instead of `verificationMail`, if the address is already verified. Leads to the application. */
export function alreadyVerified(look: MailLook, notice: Notice): Mail {
  return toApplication(look, 'alreadyVerified', notice)
}

function toApplication(look: MailLook, name: 'accountExists' | 'alreadyVerified', { to }: Notice): Mail {
  const action = { label: texts[look.language].next.signIn, link: look.branding.applicationUrl }
  return shortMail(look, texts[look.language].mails[name], { to, action })
}

/** A mail with the link that restores an account. */
interface WayBack {
  readonly to: string
  /** Built by `accountLinkUrl`. */
  readonly link: string
  /** Unix milliseconds. */
  readonly eraseAfter: number
}

/** After a request to delete the account. */
export function deletionScheduled(look: MailLook, mail: WayBack): Mail {
  return withWayBack(look, 'deletionScheduled', mail)
}

/** Three days before the erasure. */
export function deletionReminder(look: MailLook, mail: WayBack): Mail {
  return withWayBack(look, 'deletionReminder', mail)
}

/** Instead of any other link, if the account is being deleted. */
export function deletionPending(look: MailLook, mail: WayBack): Mail {
  return withWayBack(look, 'deletionPending', mail)
}

function withWayBack(
  look: MailLook,
  name: 'deletionScheduled' | 'deletionReminder' | 'deletionPending',
  { to, link, eraseAfter }: WayBack,
): Mail {
  const { subject, text, action, unexpected } = texts[look.language].mails[name]
  const words = { subject, text: text(formatDate(eraseAfter, look.language)), unexpected }
  return shortMail(look, words, { to, action: { label: action, link } })
}

/** The last mail to an account's address. */
export function accountErased(look: MailLook, { to }: Pick<WayBack, 'to'>): Mail {
  const { kept, ...words } = texts[look.language].mails.accountErased
  return shortMail(look, { ...words, unexpected: kept }, { to })
}
