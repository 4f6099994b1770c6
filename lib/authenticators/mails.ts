import { formatTime } from '../core/format.ts'
import type { Mail } from '../mail/mailer.ts'
import { nameInMail } from '../mail/nameInMail.ts'
import type { MailLook } from '../mail/renderMail.ts'
import { securityUrl } from '../mail/securityUrl.ts'
import { type ChangeNotice, changeMail, type Notice, newPasswordAction, shortMail } from '../mail/shortMail.ts'
import { texts } from '../texts/texts.ts'
import type { User } from '../users/ports.ts'

/** A mail with a link that works once. */
interface LinkNotice extends Notice {
  /** Built by `accountLinkUrl`. */
  readonly link: string
  readonly expiresInMinutes: number
}

/** After a request to remove the second factors is stored. Without the link in it nothing is removed. */
export function resetRequested(
  look: MailLook,
  { to, link, expiresInMinutes }: Notice & { readonly link: string; readonly expiresInMinutes: number },
): Mail {
  const { action, once, ...words } = texts[look.language].mails.factorResetRequested
  return shortMail(look, words, { to, action: { label: action, link }, once: once(expiresInMinutes) })
}

/** A mail before the removal. Its link leads to where the user stops it. */
interface ResetNotice extends Notice {
  readonly link: string
  /** When the factors are removed, in Unix milliseconds. */
  readonly effectiveAt: number
}

/** Before an owner's approval is stored. */
export const resetApproved = beforeRemoval('factorResetApproved')

/** At half time, and a day before the removal. */
export const resetReminder = beforeRemoval('factorResetReminder')

/** Before an operator's removal: only a sign-in with an older authenticator stops it, on the security page. */
export const operatedRemoval = beforeRemoval('factorRemovalByOperator')

function beforeRemoval(name: 'factorResetApproved' | 'factorResetReminder' | 'factorRemovalByOperator') {
  return (look: MailLook, { to, link, effectiveAt }: ResetNotice): Mail => {
    const { subject, text, action, unexpected } = texts[look.language].mails[name]
    const words = { subject, text: text(formatTime(effectiveAt, look.language)), unexpected }
    return shortMail(look, words, { to, action: { label: action, link } })
  }
}

/** After a request was canceled. */
export const resetCanceled = changeMail('factorResetCanceled')

/** After the second factors were removed. */
export const resetDone = changeMail('factorResetDone')

/** After an operator removed the authenticator app, whose codes can no longer be checked. Leads to where the user sets it up again. */
export function totpLost(look: MailLook, { to, accountUrl }: ChangeNotice): Mail {
  const { action, ...words } = texts[look.language].mails.totpLost
  return shortMail(look, words, { to, action: { label: action, link: securityUrl(accountUrl) } })
}

/** To an owner, after a request is stored. Leads to the page for approval. */
export function approvalAsked(
  look: MailLook,
  { to, link, member }: Notice & { readonly link: string; readonly member: Pick<User, 'username' | 'email'> },
): Mail {
  const { subject, text, action, unexpected } = texts[look.language].mails.factorResetApprovalAsked
  const words = { subject, text: text(nameInMail(member.username), nameInMail(member.email)), unexpected }
  return shortMail(look, words, { to, action: { label: action, link } })
}

/** After an authenticator was added. The link removes it, without a second factor. */
export const authenticatorAdded = {
  passkey: withUndo('passkeyAdded'),
  totp: withUndo('totpAdded'),
  recovery_codes: withUndo('recoveryCodesCreated'),
} as const

function withUndo(name: 'passkeyAdded' | 'totpAdded' | 'recoveryCodesCreated') {
  return (look: MailLook, { to, link, expiresInMinutes }: LinkNotice): Mail => {
    const { action, once, ...words } = texts[look.language].mails[name]
    return shortMail(look, words, { to, action: { label: action, link }, once: once(expiresInMinutes) })
  }
}

/** After a passkey or TOTP was removed. */
export const authenticatorRemoved = { passkey: changeMail('passkeyRemoved'), totp: changeMail('totpRemoved') } as const

/** After the user disconnected an OpenID provider. */
export const providerDisconnected = changeMail('providerDisconnected')

/** After a recovery code signed in. @param left how many are left */
export function recoveryCodeUsed(
  look: MailLook,
  { to, left, accountUrl }: ChangeNotice & { readonly left: number },
): Mail {
  const { subject, text, action, unexpected } = texts[look.language].mails.recoveryCodeUsed
  const words = { subject, text: text(left), unexpected }
  return shortMail(look, words, { to, action: newPasswordAction(action, accountUrl) })
}
