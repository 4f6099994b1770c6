import { entryBy } from '../auditEntry.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import { notifyOfChange } from '../notifyOfChange.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { type ChangeApiClientDeps, openApiClient } from './apiClientDeps.ts'

/**
 * Deletes an API client permanently. Its secrets are refused at once, its access tokens from the next request on. The other
 * owners are mailed.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `api_client_not_found`, also if repeated; CommonError `invalid_token`
 */
export async function deleteApiClient(
  deps: ChangeApiClientDeps,
  request: OrganizationRequest & { id: string },
): Promise<void> {
  const { client, organization } = await retryOnConflict(async () => {
    const found = await openApiClient(deps, request)
    const { id, name } = found.client
    const deleted = { action: 'api_client.deleted', target: id, detail: { name } } as const
    const write = { by: request.caller, entry: entryBy(deps, request, deleted) }
    const outcome = await deps.apiClients.delete({ organizationId: request.organizationId, id }, write)
    return outcome === 'written' ? found : outcome
  })
  const actor = request.caller.userId
  await notifyOfChange(deps, { organization, actor, apiClient: client.name, kind: 'deleted' })
}
