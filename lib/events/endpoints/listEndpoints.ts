import { type OrganizationRequest, readAuthorized } from '../../organizations/authorizeMember.ts'
import type { Endpoint } from '../ports.ts'
import type { EndpointDeps } from './endpointDeps.ts'

/**
 * The endpoints of an organization, for its owners, oldest first.
 * @throws OrganizationError `organization_not_found`, `forbidden`; CommonError `invalid_token`
 */
export async function listEndpoints(deps: EndpointDeps, request: OrganizationRequest): Promise<Endpoint[]> {
  await readAuthorized(deps.organizations, request, 'manage organization')
  const all = await deps.endpoints.list(request.organizationId)
  return all.toSorted((one, other) => one.createdAt - other.createdAt)
}
