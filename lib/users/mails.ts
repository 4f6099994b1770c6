import { formatDate } from '../core/format.ts'
import type { Mail } from '../mail/mailer.ts'
import type { MailLook } from '../mail/renderMail.ts'
import { changeMail, type Notice, noticeMail, shortMail } from '../mail/shortMail.ts'
import { texts } from '../texts/texts.ts'

/** A mail with a single-use link. */
export interface LinkMail {
  readonly to: string
  /** Built by `accountLinkUrl`. */
  readonly link: string
  readonly expiresInMinutes: number
}

/** To the address of a new account. Contains no name, because the recipient may be a stranger. */
export const verificationMail = withLink('verifyEmail')

/** To the address of an account, after a request to reset its password. */
export const passwordResetMail = withLink('resetPassword')

/** After a right password and a wrong code in a browser that the account does not know. The link resets the password. */
export const secondStepFailed = withLink('secondStepFailed')

/** After a sign-in in a browser that the account does not know. The link resets the password. */
export function newSignIn(
  look: MailLook,
  signIn: LinkMail & {
    readonly browser: string | undefined
    /** In words. */
    readonly at: string
    /** In words. */
    readonly place: string | undefined
    readonly sourceIp: string | undefined
  },
): Mail {
  const { to, link, expiresInMinutes, ...facts } = signIn
  const { subject, text, action, once, unexpected } = texts[look.language].mails.newSignIn
  const words = { subject, text: text(facts), unexpected }
  return shortMail(look, words, { to, action: { label: action, link }, once: once(expiresInMinutes) })
}

/** To the new address. The change takes effect when the link is used. */
export const emailChangeConfirm = withLink('emailChangeConfirm')

/** To the old address, when the change takes effect. The link undoes it. Does not name the new address. */
export const emailChanged = withLink('emailChanged')

function withLink(name: 'verifyEmail' | 'resetPassword' | 'secondStepFailed' | 'emailChangeConfirm' | 'emailChanged') {
  return (look: MailLook, { to, link, expiresInMinutes }: LinkMail): Mail => {
    const { action, once, ...words } = texts[look.language].mails[name]
    return shortMail(look, words, { to, action: { label: action, link }, once: once(expiresInMinutes) })
  }
}

/** To the current address, after a request to change it. Does not name the new address: others may read this mailbox by now. */
export const emailChangeNotice = changeMail('emailChangeNotice')

/** After a link removed an added authenticator, with a new password. */
export const factorUndone = changeMail('factorUndone')

/** After an identity at an OpenID provider was connected. A new password disconnects it. */
export const providerConnected = changeMail('providerConnected')

/** After a password was changed or reset. */
export const passwordChanged = changeMail('passwordChanged')

/** To the new address, when the change takes effect. */
export const newEmailInUse = noticeMail('newEmailInUse')

/** To the address that an account had until the change to it was undone. */
export const emailChangeUndone = noticeMail('emailChangeUndone')

/** Instead of `verificationMail`, if the address has an account: only its owner finds out. Leads to the application. */
export const accountExists = toApplication('accountExists')

/** Instead of `verificationMail`, if the address is already verified. Leads to the application. */
export const alreadyVerified = toApplication('alreadyVerified')

function toApplication(name: 'accountExists' | 'alreadyVerified') {
  return (look: MailLook, { to }: Notice): Mail => {
    const { mails, next } = texts[look.language]
    return shortMail(look, mails[name], { to, action: { label: next.signIn, link: look.branding.applicationUrl } })
  }
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
export const deletionScheduled = withWayBack('deletionScheduled')

/** Three days before the erasure. */
export const deletionReminder = withWayBack('deletionReminder')

/** Instead of any other link, if the account is being deleted. */
export const deletionPending = withWayBack('deletionPending')

function withWayBack(name: 'deletionScheduled' | 'deletionReminder' | 'deletionPending') {
  return (look: MailLook, { to, link, eraseAfter }: WayBack): Mail => {
    const { subject, text, action, unexpected } = texts[look.language].mails[name]
    const words = { subject, text: text(formatDate(eraseAfter, look.language)), unexpected }
    return shortMail(look, words, { to, action: { label: action, link } })
  }
}

/** The last mail to an account's address. */
export function accountErased(look: MailLook, { to }: Pick<WayBack, 'to'>): Mail {
  const { kept, ...words } = texts[look.language].mails.accountErased
  return shortMail(look, { ...words, unexpected: kept }, { to })
}
