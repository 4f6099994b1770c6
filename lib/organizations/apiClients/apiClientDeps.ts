import type { Caller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { authorizeMember } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { Permission } from '../permissions.ts'
import type { ApiClient, ApiClients, Organizations } from '../ports.ts'

/** Dependencies of reading and changing API clients. */
export interface ApiClientDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly apiClients: ApiClients
}

/** The caller, and the organization whose API clients they ask about. */
export interface ApiClientRequest {
  organizationId: OrganizationId
  caller: Caller
}

/**
 * Refuses a caller without the permission.
 * @throws OrganizationError `organization_not_found`, `forbidden`; CommonError `invalid_token`
 */
export async function requireForApiClients(
  { organizations }: Pick<ApiClientDeps, 'organizations'>,
  { organizationId, caller }: ApiClientRequest,
  permission: Permission = 'manage organization',
): Promise<void> {
  authorizeMember(await organizations.read(organizationId, caller), caller.userId, permission)
}

/**
 * Returns an API client of the organization if the caller may change it.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `api_client_not_found`; CommonError `invalid_token`
 */
export async function openApiClient(
  deps: ApiClientDeps,
  request: ApiClientRequest & { id: string },
): Promise<ApiClient> {
  await requireForApiClients(deps, request)
  const found = await deps.apiClients.find(request.organizationId, request.id)
  if (found === undefined) throw new OrganizationError('api_client_not_found')
  return found
}
