import type { Mail } from '../mail/mailer.ts'
import { nameInMail } from '../mail/nameInMail.ts'
import type { MailLook } from '../mail/renderMail.ts'
import { type Notice, noticeMail, shortMail } from '../mail/shortMail.ts'
import { texts } from '../texts/texts.ts'
import type { User } from '../users/ports.ts'

/** A mail about a request that the user can still cancel. It leads to the page for that. */
interface ResetNotice extends Notice {
  /** Built by `securityUrl`. */
  readonly link: string
}

/**
 * Before a request to remove the second factors is stored.
 * @param mayBeApproved whether an owner is asked, instead of a wait of 7 days
 */
export function resetRequested(
  look: MailLook,
  { mayBeApproved, ...notice }: ResetNotice & { readonly mayBeApproved: boolean },
): Mail {
  return aboutReset(look, mayBeApproved ? 'factorResetRequested' : 'factorResetScheduled', notice)
}

/** Before an owner's approval is stored. */
export function resetApproved(look: MailLook, notice: ResetNotice): Mail {
  return aboutReset(look, 'factorResetApproved', notice)
}

function aboutReset(
  look: MailLook,
  name: 'factorResetRequested' | 'factorResetScheduled' | 'factorResetApproved',
  { to, link }: ResetNotice,
): Mail {
  const { mails, security } = texts[look.language]
  return shortMail(look, mails[name], { to, action: { label: security.ownReset.stop, link } })
}

/** After a request was canceled. */
export const resetCanceled = noticeMail('factorResetCanceled')

/** After the second factors were removed. */
export const resetDone = noticeMail('factorResetDone')

/** To an owner, after a request is stored. Leads to the page for approval. */
export function approvalAsked(
  look: MailLook,
  { to, link, member }: Notice & { readonly link: string; readonly member: Pick<User, 'username' | 'email'> },
): Mail {
  const { subject, text, action, unexpected } = texts[look.language].mails.factorResetApprovalAsked
  const words = { subject, text: text(nameInMail(member.username), nameInMail(member.email)), unexpected }
  return shortMail(look, words, { to, action: { label: action, link } })
}

/** After a passkey or TOTP was added. */
export const authenticatorAdded = { passkey: noticeMail('passkeyAdded'), totp: noticeMail('totpAdded') } as const

/** After a passkey or TOTP was removed. */
export const authenticatorRemoved = { passkey: noticeMail('passkeyRemoved'), totp: noticeMail('totpRemoved') } as const

/** After new recovery codes were made. */
export const recoveryCodesCreated = noticeMail('recoveryCodesCreated')

/** After a recovery code signed in. @param left how many are left */
export function recoveryCodeUsed(look: MailLook, { to, left }: Notice & { readonly left: number }): Mail {
  const { subject, text, unexpected } = texts[look.language].mails.recoveryCodeUsed
  return shortMail(look, { subject, text: text(left), unexpected }, { to })
}
