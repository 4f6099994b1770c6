import { apiClientIdSchema, type PrincipalId } from '../../core/ids.ts'
import type { AuditActor } from '../../organizations/ports.ts'

/** Who made a change, as the audit log names them. */
export function byPrincipal(id: PrincipalId): AuditActor {
  return { type: apiClientIdSchema.safeParse(id).success ? 'client' : 'user', id }
}
