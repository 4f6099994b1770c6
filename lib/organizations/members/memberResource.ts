import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import { documented, named } from '../../http/schema.ts'
import { type Invitation, roleSchema } from '../ports.ts'
import type { Member, Members } from './readMembers.ts'

/** A member in the API; only owners see the email address and whether there is a second factor. */
const memberResource = named(
  'Member',
  z.strictObject({
    user_id: z.uuid(),
    username: z.nullable(z.string()),
    email: z.nullable(z.string()),
    role: roleSchema,
    has_second_factor: documented(
      {
        description:
          'Whether the user has a passkey or an authenticator app. `null` if you are no owner, and for deleted users.',
      },
      z.nullable(z.boolean()),
    ),
  }),
)

/** An open invitation in the API, for owners. Only the mail contains its token. */
export const invitationResource = named(
  'Invitation',
  z.strictObject({
    id: z.string(),
    email: z.string(),
    role: roleSchema,
    invited_by: z.uuid(),
    expires_at: z.iso.datetime(),
  }),
)

export const membersResource = named(
  'MemberList',
  z.strictObject({
    members: z.array(memberResource),
    invitations: z.array(invitationResource),
  }),
)

/** Maps an invitation to the API's object, without other stored members. */
export function toInvitationResource({ id, email, role, invitedBy, validUntil }: Invitation) {
  return { id, email, role, invited_by: invitedBy, expires_at: toRfc3339(validUntil) }
}

/** Maps members and invitations to the API's object. */
export function toMembersResource({ members, invitations, isShownToOwner }: Members): z.infer<typeof membersResource> {
  const toMemberResource = ({ userId, role, profile }: Member) => ({
    user_id: userId,
    username: profile?.username ?? null,
    email: (isShownToOwner && profile?.email) || null,
    role,
    has_second_factor: isShownToOwner && profile ? (profile.hasSecondFactor ?? false) : null,
  })
  return { members: members.map(toMemberResource), invitations: invitations.map(toInvitationResource) }
}
