import type { Mail } from '../../mail/mailer.ts'
import { nameInMail } from '../../mail/nameInMail.ts'
import { type MailLook, renderMail } from '../../mail/renderMail.ts'
import { texts } from '../../texts/texts.ts'
import type { Role } from '../ports.ts'

/** The content of an invitation. */
interface InvitationMail {
  readonly to: string
  /** The organization's name, unescaped. */
  readonly organization: string
  /** The inviter's username. */
  readonly invitedBy: string
  readonly role: Role
  /** Built by `accountLinkUrl`. */
  readonly link: string
  readonly expiresInMinutes: number
}

/** To an address invited to an organization, with or without an account. Its subject has no words that a sender chose. */
export function invitationMail(
  look: MailLook,
  { to, organization, invitedBy, role, link, expiresInMinutes }: InvitationMail,
): Mail {
  const { subject, text, noAccountNeeded, action, once, unexpected } = texts[look.language].mails.invitation
  const name = nameInMail(organization)
  return renderMail(look, {
    to,
    subject,
    paragraphs: [text(nameInMail(invitedBy), name, role), noAccountNeeded],
    action: { label: action, link },
    notes: [once(expiresInMinutes), unexpected],
  })
}
