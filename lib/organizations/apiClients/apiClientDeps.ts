import type { Ids } from '../../core/ids.ts'
import type { AuditDeps } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { NotifyOfChangeDeps } from '../notifyOfChange.ts'
import type { ApiClient, ApiClients, Organization, Organizations } from '../ports.ts'

/** Dependencies of reading and changing API clients. */
export interface ApiClientDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly apiClients: ApiClients
}

/** Dependencies of changing API clients, including the mails about it. */
export interface ChangeApiClientDeps extends ApiClientDeps, AuditDeps, NotifyOfChangeDeps {
  readonly organizations: Pick<Organizations, 'read' | 'readMembers'>
  readonly ids: Ids
  readonly clock: AuditDeps['clock']
}

/**
 * Returns an API client of the organization if the caller may change it.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `api_client_not_found`; CommonError `invalid_token`
 */
export async function openApiClient(
  deps: ApiClientDeps,
  request: OrganizationRequest & { id: string },
): Promise<{ client: ApiClient; organization: Organization }> {
  const { organization } = await readAuthorized(deps.organizations, request, 'manage organization')
  const found = await deps.apiClients.find(request.organizationId, request.id)
  if (found === undefined) throw new OrganizationError('api_client_not_found')
  return { client: found, organization }
}
