import type { Clock } from '../core/clock.ts'
import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeMember } from './authorizeMember.ts'
import type { AuditLog, AuditPage, Organizations } from './ports.ts'

/**
 * A page of what was changed in an organization, newest first, for its owners.
 * @param page `after`: where the page before ended
 * @throws OrganizationError `organization_not_found`, `forbidden`
 */
export async function readAuditLog(
  deps: { organizations: Pick<Organizations, 'read'>; auditLog: AuditLog; clock: Clock },
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
  page: { limit: number; after: string | undefined },
): Promise<AuditPage> {
  authorizeMember(await deps.organizations.read(organizationId, [userId]), userId, 'read audit log')
  return deps.auditLog.list(organizationId, { ...page, now: deps.clock.now() })
}
