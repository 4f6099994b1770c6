import type { User, Users } from '../../users/ports.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
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
  request: OrganizationRequest,
): Promise<OwnOrganization & { inviter: User }> {
  const own = await readAuthorized(organizations, request, 'manage organization')
  if (own.organization.deletion) throw new OrganizationError('organization_deleting')
  return { ...own, inviter: requireVerified(await users.find(request.caller.userId)) }
}
