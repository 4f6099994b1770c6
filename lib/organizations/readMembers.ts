import type { Clock } from '../core/clock.ts'
import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeMember } from './authorizeMember.ts'
import type { Invitation, Membership, Organizations, Profile, Profiles } from './ports.ts'

/** A member as another one sees them. */
export interface Member extends Membership {
  /** Undefined for a user who is gone. */
  profile: Profile | undefined
}

/** Who is in an organization, and who is asked to be. */
export interface Members {
  members: Member[]
  invitations: Invitation[]
  /** Whether the caller manages the organization: nobody else sees addresses. */
  showsEmails: boolean
}

/**
 * The members of an organization in the order of their ids and, for its owners only, the invitations that can be accepted.
 * @throws OrganizationError for whoever is not in it
 */
export async function readMembers(
  deps: { organizations: Pick<Organizations, 'read' | 'readMembers'>; profiles: Profiles; clock: Clock },
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<Members> {
  // First, and for every caller at the same price: a stranger must not learn from the time how many members there are.
  const view = await deps.organizations.read(organizationId, [userId])
  const showsEmails = authorizeMember(view, userId, 'read members').role === 'owner'
  const { members, invitations } = await deps.organizations.readMembers(organizationId)
  const profiles = await deps.profiles.find(members.map((member) => member.userId))
  const owners = new Set(members.flatMap((member) => (member.role === 'owner' ? [member.userId] : [])))
  const now = deps.clock.now()
  return {
    members: members.map((member) => ({ ...member, profile: profiles.get(member.userId) })),
    invitations: invitations.filter(
      ({ validUntil, invitedBy }) => showsEmails && validUntil > now && owners.has(invitedBy),
    ),
    showsEmails,
  }
}
