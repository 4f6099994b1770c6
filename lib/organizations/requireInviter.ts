import type { OrganizationId, UserId } from '../core/ids.ts'
import type { User, Users } from '../users/ports.ts'
import { authorizeMember } from './authorizeMember.ts'
import type { Organizations, OwnOrganization } from './ports.ts'
import { requireVerifiedUser } from './requireVerifiedUser.ts'

/**
 * Returns the organization, and the user who may invite to it: an owner with a verified email address.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `email_not_verified`; CommonError `unauthorized`
 */
export async function requireInviter(
  { organizations, users }: { organizations: Pick<Organizations, 'read'>; users: Pick<Users, 'find'> },
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
): Promise<OwnOrganization & { inviter: User }> {
  const view = await organizations.read(organizationId, [userId])
  const own = authorizeMember(view, userId, 'manage organization')
  return { ...own, inviter: await requireVerifiedUser(users, userId) }
}
