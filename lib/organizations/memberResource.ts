import * as z from 'zod'
import { toRfc3339 } from '../core/clock.ts'
import { type Invitation, roleSchema } from './ports.ts'
import type { Member, Members } from './readMembers.ts'

/** A member as the API shows it to another one; the e-mail address to owners only. */
export const memberResource = z.strictObject({
  user_id: z.uuid(),
  username: z.string().nullable(),
  email: z.string().nullable(),
  role: roleSchema,
})

/** An open invitation as the API shows it to owners. Its token is in the mail only. */
export const invitationResource = z.strictObject({
  id: z.string(),
  email: z.string(),
  role: roleSchema,
  invited_by: z.uuid(),
  expires_at: z.iso.datetime(),
})

export const membersResource = z.strictObject({
  members: z.array(memberResource),
  invitations: z.array(invitationResource),
})

/** An invitation as the API shows it, and nothing else that is stored. */
export function toInvitationResource({ id, email, role, invitedBy, validUntil }: Invitation) {
  return { id, email, role, invited_by: invitedBy, expires_at: toRfc3339(validUntil) }
}

/** Members and invitations as the API shows them to one member. */
export function toMembersResource({ members, invitations, showsEmails }: Members): z.infer<typeof membersResource> {
  const toMemberResource = ({ userId, role, profile }: Member) => ({
    user_id: userId,
    username: profile?.username ?? null,
    email: (showsEmails && profile?.email) || null,
    role,
  })
  return { members: members.map(toMemberResource), invitations: invitations.map(toInvitationResource) }
}
