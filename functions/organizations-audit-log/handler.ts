import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { fromCursor, toCursor } from '../../lib/http/request/paging.ts'
import { toAuditLogResource } from '../../lib/organizations/auditLogResource.ts'
import { readAuditLog } from '../../lib/organizations/readAuditLog.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/audit-log: lists what was changed in an organization, newest first. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, query }) => {
  const organizationId = path.organization_id
  const { cursor, actor_id: actorId, ...wanted } = query
  const after = fromCursor(organizationId, cursor)
  const page = await readAuditLog(deps, { organizationId, caller }, { ...wanted, actorId, after })
  return { status: 200, body: toAuditLogResource(page, (position) => toCursor(organizationId, position)) }
})
