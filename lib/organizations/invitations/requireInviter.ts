import type { Caller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { User, Users } from '../../users/ports.ts'
import { authorizeMember } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { Organizations, OwnOrganization } from '../ports.ts'
import { requireVerified } from '../requireVerifiedUser.ts'

/**
 * Returns the organization and the inviter: an owner with a verified email address.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `email_not_verified`, `organization_deleting`; CommonError
 *   `invalid_token`
 */
export async function requireInviter(
  { organizations, users }: { organizations: Pick<Organizations, 'read'>; users: Pick<Users, 'find'> },
  { organizationId, caller }: { organizationId: OrganizationId; caller: Caller },
): Promise<OwnOrganization & { inviter: User }> {
  const view = await organizations.read(organizationId, caller)
  const own = authorizeMember(view, caller.userId, 'manage organization')
  if (own.organization.deletion) throw new OrganizationError('organization_deleting')
  return { ...own, inviter: requireVerified(await users.find(caller.userId)) }
}
