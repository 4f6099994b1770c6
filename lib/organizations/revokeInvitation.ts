import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeMember } from './authorizeMember.ts'
import type { Invitations, Organizations } from './ports.ts'
import { retryOnConflict } from './retryOnConflict.ts'

/**
 * Voids an invitation. Does nothing for one that does not exist: safe to repeat.
 * @throws OrganizationError `organization_not_found`, `forbidden`
 */
export async function revokeInvitation(
  {
    organizations,
    invitations,
  }: { organizations: Pick<Organizations, 'read'>; invitations: Pick<Invitations, 'revoke'> },
  request: { organizationId: OrganizationId; userId: UserId; invitationId: string },
): Promise<void> {
  const { organizationId, userId, invitationId } = request
  await retryOnConflict(async () => {
    const view = await organizations.read(organizationId, [userId])
    authorizeMember(view, userId, 'manage organization')
    return invitations.revoke(organizationId, { id: invitationId, by: userId })
  })
}
