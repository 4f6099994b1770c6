import type { Clock } from '../core/clock.ts'
import type { Caller } from '../core/identity.ts'
import type { Ids, OrganizationId } from '../core/ids.ts'
import type { AuditChange, AuditEntry } from './ports.ts'

/** Dependencies of an audit entry. */
export interface AuditDeps {
  ids: Pick<Ids, 'uuid'>
  clock: Clock
}

/** The entry of a change that a user makes now. Each call returns a new entry: call it for each attempt to write the change. */
export function entryBy(
  { ids, clock }: AuditDeps,
  { organizationId, caller }: { organizationId: OrganizationId; caller: Pick<Caller, 'userId'> },
  done: AuditChange,
): AuditEntry {
  return { organizationId, id: ids.uuid(), at: clock.now(), actor: { type: 'user', id: caller.userId }, ...done }
}
