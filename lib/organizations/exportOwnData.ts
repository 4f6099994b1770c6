import type { Clock } from '../core/clock.ts'
import type { Caller } from '../core/identity.ts'
import type { User, Users } from '../users/ports.ts'
import { hasPermission } from './permissions.ts'
import type { AuditLog, Organizations, OwnOrganization, StoredAuditEntry } from './ports.ts'

export interface ExportDeps {
  readonly users: Pick<Users, 'findCaller'>
  readonly organizations: Pick<Organizations, 'list'>
  readonly auditLog: AuditLog
  readonly clock: Clock
}

/** A user, their organizations, and what they did there. */
interface OwnData {
  /** Unix milliseconds. */
  readonly exportedAt: number
  readonly user: User
  readonly organizations: readonly OwnOrganization[]
  /** The user's actions in organizations whose audit log they may read, newest first in each. */
  readonly entries: readonly StoredAuditEntry[]
}

/** The limit per organization: Lambda answers with at most 6 MB, and the audit log itself has pages. */
const MAX_READ = 2000
const PAGE = 100

/**
 * Returns the caller's own data, except data for signing in: sessions, consents and authenticators have their own lists. Changes nothing.
 * @throws CommonError `invalid_token`, `service_unavailable`
 */
export async function exportOwnData(deps: ExportDeps, caller: Caller): Promise<OwnData> {
  const exportedAt = deps.clock.now()
  const [user, organizations] = await Promise.all([deps.users.findCaller(caller), deps.organizations.list(caller)])
  const entries: StoredAuditEntry[] = []
  for (const own of organizations) {
    if (hasPermission(own.role, 'read audit log')) entries.push(...(await ownEntries(deps, own, caller, exportedAt)))
  }
  return { exportedAt, user, organizations, entries }
}

async function ownEntries(
  { auditLog }: Pick<ExportDeps, 'auditLog'>,
  { organization }: OwnOrganization,
  { userId }: Caller,
  now: number,
): Promise<StoredAuditEntry[]> {
  const found: StoredAuditEntry[] = []
  let after: string | undefined
  for (let read = 0; read < MAX_READ; read += PAGE) {
    const { entries, next } = await auditLog.list(organization.id, { limit: PAGE, after, now })
    found.push(...entries.filter(({ actor }) => actor.id === userId))
    after = next
    if (after === undefined) break
  }
  return found
}
