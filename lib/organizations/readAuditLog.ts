import type { Clock } from '../core/clock.ts'
import { type OrganizationRequest, readAuthorized } from './authorizeMember.ts'
import type { AuditFilter, AuditLog, AuditPage, Organizations } from './ports.ts'

/**
 * Returns a page of the changes in an organization, newest first, for its owners.
 * @param page `after`: the end of the previous page
 * @throws OrganizationError `organization_not_found`, `forbidden`
 */
export async function readAuditLog(
  deps: { organizations: Pick<Organizations, 'read'>; auditLog: AuditLog; clock: Clock },
  request: OrganizationRequest,
  page: AuditFilter & { limit: number; after: string | undefined },
): Promise<AuditPage> {
  await readAuthorized(deps.organizations, request, 'read audit log')
  return deps.auditLog.list(request.organizationId, { ...page, now: deps.clock.now() })
}
