import type { OrganizationId } from '../../core/ids.ts'
import type { AuditEntry } from '../../organizations/ports.ts'
import { entryId } from './entryId.ts'

/**
 * An audit entry about data of an organization that only the gateway keeps, for `recordAccountChange`.
 * @param at Unix milliseconds
 */
export function accountEntry(
  organizationId: OrganizationId,
  done: Pick<AuditEntry, 'action' | 'actor' | 'target' | 'detail'>,
  at: number,
): AuditEntry {
  const { action, actor, target } = done
  const id = entryId(`${organizationId} ${action} ${target} ${actor.type} ${actor.id} ${at}`)
  return { organizationId, id, at, ...done }
}
