import type { Caller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { authorizeMember } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { Permission } from '../permissions.ts'
import type { ApiClient, ApiClients, Organizations } from '../ports.ts'

/** What reads and changes API clients. */
export interface ApiClientDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly apiClients: ApiClients
}

/** Who asks about the API clients of which organization. */
export interface ApiClientRequest {
  organizationId: OrganizationId
  caller: Caller
}

/**
 * Refuses a caller who may not.
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
 * An API client of the organization, for a caller who may change it.
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
