import type { Clock } from '../core/clock.ts'
import type { Caller } from '../core/identity.ts'
import type { OrganizationId } from '../core/ids.ts'
import { authorizeMember } from './authorizeMember.ts'
import type { AuditLog, AuditPage, Organizations } from './ports.ts'

/**
 * Returns a page of the changes in an organization, newest first, for its owners.
 * @param page `after`: the end of the previous page
 * @throws OrganizationError `organization_not_found`, `forbidden`
 */
export async function readAuditLog(
  deps: { organizations: Pick<Organizations, 'read'>; auditLog: AuditLog; clock: Clock },
  { organizationId, caller }: { organizationId: OrganizationId; caller: Caller },
  page: { limit: number; after: string | undefined },
): Promise<AuditPage> {
  authorizeMember(await deps.organizations.read(organizationId, caller), caller.userId, 'read audit log')
  return deps.auditLog.list(organizationId, { ...page, now: deps.clock.now() })
}
