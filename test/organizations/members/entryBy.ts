import { randomUUID } from 'node:crypto'
import type { OrganizationId, UserId } from '../../../lib/core/ids.ts'
import type { AuditDone, AuditEntry } from '../../../lib/organizations/ports.ts'

/** A new audit entry of what a user did to an organization. */
export const entryBy = (userId: UserId, organizationId: OrganizationId, at: number, done: AuditDone): AuditEntry => ({
  organizationId,
  id: randomUUID(),
  at,
  actor: { type: 'user', id: userId },
  target: organizationId,
  ...done,
})
