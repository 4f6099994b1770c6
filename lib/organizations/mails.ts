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

/** What an invitation says. */
export interface Invitation {
  readonly to: string
  /** The organization's name, as its owner chose it. */
  readonly organization: string
  /** The user name of whoever invites. */
  readonly invitedBy: string
  readonly role: Role
  /** What `accountLinkUrl` made. */
  readonly link: string
  readonly expiresInMinutes: number
}

/** To somebody who is invited into an organization, with or without an account so far. */
export function invitation({ to, organization, invitedBy, role, link, expiresInMinutes }: Invitation): Mail {
  const name = nameInMail(organization)
  return renderMail({
    to,
    subject: `You are invited to join “${name}”`,
    paragraphs: [
      `The user ${nameInMail(invitedBy)} invites you to the organization “${name}”, as ${asRole[role]}.`,
      'You need an account with this email address: sign in, or create one first.',
    ],
    action: { label: 'See the invitation', link },
    notes: [
      `The link works once, and for ${formatDuration(expiresInMinutes)}.`,
      'You do not know who that is? Then ignore this message: nothing will happen.',
    ],
  })
}
