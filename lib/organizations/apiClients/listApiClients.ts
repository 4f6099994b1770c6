import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import type { ApiClient } from '../ports.ts'
import type { ApiClientDeps } from './apiClientDeps.ts'

/**
 * The API clients of an organization, for its owners and billing admins, oldest first.
 * @throws OrganizationError `organization_not_found`, `forbidden`; CommonError `invalid_token`
 */
export async function listApiClients(deps: ApiClientDeps, request: OrganizationRequest): Promise<ApiClient[]> {
  await readAuthorized(deps.organizations, request, 'read API clients')
  const all = await deps.apiClients.list(request.organizationId)
  return all.toSorted((one, other) => one.createdAt - other.createdAt)
}
