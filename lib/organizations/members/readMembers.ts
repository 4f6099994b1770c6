import type { Clock } from '../../core/clock.ts'
import type { AnyCaller } from '../../core/identity.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import type { Invitation, Membership, Organizations, Profile, Profiles } from '../ports.ts'

/** A member with their profile. */
export interface Member extends Membership {
  /** Undefined for a deleted user. */
  profile: Profile | undefined
}

export interface Members {
  members: Member[]
  invitations: Invitation[]
  /** Whether the caller is an owner: only owners see email addresses and who has a second factor. */
  isShownToOwner: boolean
}

/**
 * The members of an organization ordered by id and, for its owners only, the invitations that can be accepted.
 * @throws OrganizationError `organization_not_found`
 */
export async function readMembers(
  deps: { organizations: Pick<Organizations, 'read' | 'readMembers'>; profiles: Profiles; clock: Clock },
  request: OrganizationRequest<AnyCaller>,
): Promise<Members> {
  // First, and in equal time for every caller: strangers must not learn the number of members from the time.
  const { role } = await readAuthorized(deps.organizations, request, 'read members')
  const isShownToOwner = role === 'owner'
  const { members, invitations } = await deps.organizations.readMembers(request.organizationId)
  const profiles = await deps.profiles.find(members.map((member) => member.userId))
  const owners = new Set(members.flatMap((member) => (member.role === 'owner' ? [member.userId] : [])))
  const now = deps.clock.now()
  return {
    members: members.map((member) => ({ ...member, profile: profiles.get(member.userId) })),
    invitations: invitations.filter(
      ({ validUntil, invitedBy }) => isShownToOwner && validUntil > now && owners.has(invitedBy),
    ),
    isShownToOwner,
  }
}
