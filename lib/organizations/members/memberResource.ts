import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import { documented, named } from '../../http/schema.ts'
import { type Invitation, roleSchema } from '../ports.ts'
import type { Member, Members } from './readMembers.ts'

/** A member in the API; only owners see the email address and whether there is a second factor. */
export const memberResource = named(
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

/** Maps a member to the API's object. */
export function toMemberResource(
  { userId, role, profile }: Member,
  { isShownToOwner }: Pick<Members, 'isShownToOwner'>,
): z.infer<typeof memberResource> {
  return {
    user_id: userId,
    username: profile?.username ?? null,
    email: (isShownToOwner && profile?.email) || null,
    role,
    has_second_factor: isShownToOwner && profile ? (profile.hasSecondFactor ?? false) : null,
  }
}

/** Maps members and invitations to the API's object. */
export function toMembersResource({ members, invitations, ...shown }: Members): z.infer<typeof membersResource> {
  return {
    members: members.map((member) => toMemberResource(member, shown)),
    invitations: invitations.map(toInvitationResource),
  }
}
