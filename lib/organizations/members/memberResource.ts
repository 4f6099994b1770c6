import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import { described, named, noNextCursor } from '../../http/schema.ts'
import { type Invitation, roleSchema } from '../ports.ts'
import type { Member, Members } from './readMembers.ts'

/** A member in the API; only owners see the email address and whether there is a second factor. */
export const memberResource = named(
  'Member',
  z.strictObject({
    user_id: described('The member’s user id', z.uuid()),
    username: described('The user’s name; null for a deleted user', z.nullable(z.string())),
    email: described('The user’s address; null if you are no owner, and for deleted users', z.nullable(z.string())),
    role: described('What the member may do', roleSchema),
    has_second_factor: described(
      'Whether the user has a passkey or an authenticator app. `null` if you are no owner, and for deleted users.',
      z.nullable(z.boolean()),
    ),
  }),
)

/** An open invitation in the API, for owners. Only the mail contains its token. */
export const invitationResource = named(
  'Invitation',
  z.strictObject({
    id: described('For sending it again or revoking it', z.string()),
    email: described('The address that was invited', z.string()),
    role: described('The role of the person who accepts it', roleSchema),
    invited_by: described('The user who sent it', z.uuid()),
    expires_at: described('Until when it can be accepted', z.iso.datetime()),
  }),
)

export const membersResource = named(
  'MemberList',
  z.strictObject({
    members: described('The members of the organization', z.array(memberResource)),
    invitations: described('The open invitations; empty unless you are an owner', z.array(invitationResource)),
    next_cursor: noNextCursor,
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
    next_cursor: null,
  }
}
