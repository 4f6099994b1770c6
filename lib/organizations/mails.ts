import { formatDuration } from '../core/formatDuration.ts'
import type { Mail } from '../mail/mailer.ts'
import { nameInMail } from '../mail/nameInMail.ts'
import { renderMail } from '../mail/renderMail.ts'
import type { Role } from './ports.ts'

const asRole = {
  owner: 'an owner',
  billing_admin: 'a billing admin',
  member: 'a member',
} as const satisfies Record<Role, string>

/** The content of an invitation. */
export interface Invitation {
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

/** To an address invited to an organization, with or without an account. */
export function invitation({ to, organization, invitedBy, role, link, expiresInMinutes }: Invitation): Mail {
  const name = nameInMail(organization)
  return renderMail({
    to,
    subject: `You’re invited to join “${name}”`,
    paragraphs: [
      `${nameInMail(invitedBy)} invited you to join the organization “${name}” as ${asRole[role]}.`,
      'To accept, you need an account with this email address.',
    ],
    action: { label: 'View invitation', link },
    notes: [
      `This link works once and expires in ${formatDuration(expiresInMinutes)}.`,
      'If you don’t know the sender, you can ignore this email.',
    ],
  })
}
