import { type AuditDeps, entryBy } from '../auditEntry.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { type ApiClientDeps, openApiClient } from './apiClientDeps.ts'

/**
 * Deletes an API client permanently. Its secrets are refused at once, its access tokens from the next request on.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `api_client_not_found`, also if repeated; CommonError `invalid_token`
 */
export async function deleteApiClient(
  deps: ApiClientDeps & AuditDeps,
  request: OrganizationRequest & { id: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const { id, name } = await openApiClient(deps, request)
    const deleted = { action: 'api_client.deleted', target: id, detail: { name } } as const
    const write = { by: request.caller, entry: entryBy(deps, request, deleted) }
    return deps.apiClients.delete({ organizationId: request.organizationId, id }, write)
  })
}
