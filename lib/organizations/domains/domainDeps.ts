import type { AuditDeps } from '../auditEntry.ts'
import { type OrganizationRequest, readAuthorized } from '../authorizeMember.ts'
import { OrganizationError } from '../errors.ts'
import type { Organizations } from '../ports.ts'
import type { Domain, Domains } from './ports.ts'

/** The most domains that an organization may have. */
export const MAX_DOMAINS = 20

/** Dependencies of reading the domains of an organization. */
export interface DomainDeps {
  readonly organizations: Pick<Organizations, 'read'>
  readonly domains: Domains
}

/** Dependencies of changing them. */
export interface ChangeDomainDeps extends DomainDeps, AuditDeps {}

/** A request of an owner about a domain. */
export interface DomainRequest extends OrganizationRequest {
  readonly id: string
}

/**
 * Authorizes an owner. Refuses an organization that is being deleted: it would hold a domain back.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `organization_deleting`; CommonError `invalid_token`
 */
export async function requireLivingOrganization(
  { organizations }: Pick<DomainDeps, 'organizations'>,
  request: OrganizationRequest,
): Promise<void> {
  const { organization } = await readAuthorized(organizations, request, 'manage organization')
  if (organization.deletion) throw new OrganizationError('organization_deleting')
}

/**
 * Returns a domain of the organization, for its owners.
 * @throws OrganizationError `organization_not_found`, `forbidden`, `domain_not_found`; CommonError `invalid_token`
 */
export async function openDomain(deps: DomainDeps, request: DomainRequest): Promise<Domain> {
  await readAuthorized(deps.organizations, request, 'manage organization')
  return findDomain(deps, request)
}

/** @throws OrganizationError `domain_not_found` */
export async function findDomain({ domains }: Pick<DomainDeps, 'domains'>, request: DomainRequest): Promise<Domain> {
  const found = (await domains.list(request.organizationId)).find(({ id }) => id === request.id)
  if (found === undefined) throw new OrganizationError('domain_not_found')
  return found
}
