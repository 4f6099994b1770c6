import type { Clock } from '../core/clock.ts'
import type { AnyCaller } from '../core/identity.ts'
import { type OrganizationRequest, readAuthorizedOrScoped } from './authorizeMember.ts'
import type { AuditFilter, AuditLog, AuditPage, Organizations, StoredAuditEntry } from './ports.ts'

/** The most entries, and the most bytes of them as JSON, of a whole log: an answer of Lambda has at most 6 MB. */
const MAX_ENTRIES = 10_000
const MAX_BYTES = 5_000_000

/** How many entries of a whole log are read at once. */
const READ_AT_ONCE = 500

export interface ReadAuditLogDeps {
  organizations: Pick<Organizations, 'read'>
  auditLog: AuditLog
  clock: Clock
}

/**
 * Returns a page of the changes in an organization, newest first, for its owners and for clients that were granted to read it.
 * @param page `after`: the end of the previous page
 * @throws OrganizationError `organization_not_found`, `forbidden`
 */
export async function readAuditLog(
  deps: ReadAuditLogDeps,
  request: OrganizationRequest<AnyCaller>,
  page: AuditFilter & { limit: number; after: string | undefined },
): Promise<AuditPage> {
  await readAuthorizedOrScoped(deps.organizations, request, 'read audit log')
  return deps.auditLog.list(request.organizationId, { ...page, now: deps.clock.now() })
}

/**
 * The same without pages: everything that the filter leaves, as far as an answer can hold it.
 * @param resourceOf an entry as it is answered
 * @throws as `readAuditLog`
 */
export async function readWholeAuditLog<Resource>(
  deps: ReadAuditLogDeps,
  request: OrganizationRequest<AnyCaller>,
  { resourceOf, ...filter }: AuditFilter & { resourceOf: (entry: StoredAuditEntry) => Resource },
): Promise<Resource[]> {
  await readAuthorizedOrScoped(deps.organizations, request, 'read audit log')
  const whole: Resource[] = []
  let bytes = 0
  let after: string | undefined
  do {
    const page = { ...filter, limit: READ_AT_ONCE, after, now: deps.clock.now() }
    const { entries, next } = await deps.auditLog.list(request.organizationId, page)
    for (const entry of entries) {
      const resource = resourceOf(entry)
      bytes += Buffer.byteLength(JSON.stringify(resource)) + 1
      if (whole.length === MAX_ENTRIES || bytes > MAX_BYTES) return whole
      whole.push(resource)
    }
    after = next
  } while (after !== undefined)
  return whole
}
