import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { fromCursor, toCursor } from '../../lib/http/request/paging.ts'
import { toAuditEntryResource, toAuditLogResource } from '../../lib/organizations/auditLogResource.ts'
import { readAuditLog, readWholeAuditLog } from '../../lib/organizations/readAuditLog.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = organizationDepsFromEnvironment()

/** GET /api/organizations/{organization_id}/audit-log: lists what was changed in an organization, newest first. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, query, wantsLines }) => {
  const organizationId = path.organization_id
  const { cursor, actor_id: actorId, limit, ...filter } = query
  if (wantsLines) {
    const whole = { ...filter, actorId, resourceOf: toAuditEntryResource }
    const entries = await readWholeAuditLog(deps, { organizationId, caller }, whole)
    return { status: 200, body: { entries, next_cursor: null }, lines: entries }
  }
  const after = fromCursor(organizationId, cursor)
  const page = await readAuditLog(deps, { organizationId, caller }, { ...filter, limit, actorId, after })
  return { status: 200, body: toAuditLogResource(page, (position) => toCursor(organizationId, position)) }
})
