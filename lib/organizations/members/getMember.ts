import { type AnyCaller, principalIdOf } from '../../core/identity.ts'
import type { UserId } from '../../core/ids.ts'
import { authorizeMember, type OrganizationRequest } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { Organizations, Profiles } from '../ports.ts'
import type { Member, Members } from './readMembers.ts'

/**
 * A member of an organization, as `readMembers` has it.
 * @throws OrganizationError `organization_not_found`; `member_not_found` if the user is not a member, known or not
 */
export async function getMember(
  deps: { organizations: Pick<Organizations, 'read'>; profiles: Profiles },
  { organizationId, caller, memberId }: OrganizationRequest<AnyCaller> & { memberId: UserId },
): Promise<Pick<Members, 'isShownToOwner'> & { member: Member }> {
  const view = await deps.organizations.read(organizationId, caller, [memberId])
  const own = authorizeMember(view, principalIdOf(caller), 'read members')
  const role = view.roleOf(memberId)
  if (role === undefined) throw new OrganizationError('member_not_found')
  const profiles = await deps.profiles.find([memberId])
  return { member: { userId: memberId, role, profile: profiles.get(memberId) }, isShownToOwner: own.role === 'owner' }
}
