import { type AnyCaller, type Caller, isApiClient, isServiceClient, principalIdOf } from '../core/identity.ts'
import type { OrganizationId, PrincipalId } from '../core/ids.ts'
import { OrganizationError } from './errors.ts'
import { type Permission, requirePermission } from './permissions.ts'
import type { MembershipView, Organizations, OwnOrganization } from './ports.ts'

/** The caller, and the organization that the request is about. */
export interface OrganizationRequest<By extends AnyCaller = Caller> {
  organizationId: OrganizationId
  caller: By
}

/**
 * Reads the organization with the caller's role in it, and authorizes the caller.
 * @throws as `authorizeMember`; CommonError `invalid_token`
 */
export async function readAuthorized(
  organizations: Pick<Organizations, 'read'>,
  { organizationId, caller }: OrganizationRequest<AnyCaller>,
  permission: Permission,
): Promise<OwnOrganization> {
  return authorizeMember(await organizations.read(organizationId, caller), principalIdOf(caller), permission)
}

/**
 * The same if a user needs `permission`, and a client only its scope, which was checked: it has no role of its own, and the organization must exist.
 * @throws as `readAuthorized`
 */
export async function readAuthorizedOrScoped(
  organizations: Pick<Organizations, 'read'>,
  request: OrganizationRequest<AnyCaller>,
  permission: Permission,
): Promise<OwnOrganization> {
  const isClient = isApiClient(request.caller) || isServiceClient(request.caller)
  return readAuthorized(organizations, request, isClient ? 'read members' : permission)
}

/**
 * Returns the organization and the user's role in it, if the role has `permission`.
 * @throws OrganizationError `organization_not_found` if the organization does not exist or the user is not in it; `forbidden` if a member
 *   lacks the permission
 */
export function authorizeMember(
  view: MembershipView,
  principalId: PrincipalId,
  permission: Permission,
): OwnOrganization {
  const own = requireMembership(view, principalId)
  requirePermission(own.role, permission)
  return own
}

/**
 * Returns the organization and the user's role in it.
 * @throws OrganizationError `organization_not_found`
 */
export function requireMembership({ organization, roleOf }: MembershipView, principalId: PrincipalId): OwnOrganization {
  const role = roleOf(principalId)
  if (organization === undefined || role === undefined) throw new OrganizationError('organization_not_found')
  return { organization, role }
}
