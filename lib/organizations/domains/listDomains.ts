import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import type { DomainDeps } from './domainDeps.ts'
import type { Domain } from './ports.ts'

/**
 * The domains of an organization, for its owners, by name.
 * @throws OrganizationError `organization_not_found`, `forbidden`; CommonError `invalid_token`, `service_unavailable`
 */
export async function listDomains(deps: DomainDeps, request: OrganizationRequest): Promise<Domain[]> {
  await readAuthorized(deps.organizations, request, 'manage organization')
  return deps.domains.list(request.organizationId)
}
