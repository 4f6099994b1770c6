import type { AuditDeps } from '../auditEntry.ts'
import type { OrganizationRequest } from '../authorizeMember.ts'
import { readAuthorized } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { Organizations } from '../ports.ts'
import type { CompanySignOn, CompanySignOns } from './ports.ts'

/** Dependencies of reading the single sign-on of an organization. */
export interface SignOnDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly signOns: CompanySignOns
}

/** Dependencies of changing it. */
export interface ChangeSignOnDeps extends SignOnDeps, AuditDeps {}

/**
 * Returns the single sign-on of an organization, for its owners.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `sso_not_found`; CommonError `invalid_token`, `service_unavailable`
 */
export async function openSignOn(deps: SignOnDeps, request: OrganizationRequest): Promise<CompanySignOn> {
  await readAuthorized(deps.organizations, request, 'manage organization')
  const found = await deps.signOns.find(request.organizationId)
  if (found === undefined) throw new OrganizationError('sso_not_found')
  return found
}
