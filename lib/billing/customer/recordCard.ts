import type { OrganizationId } from '../../core/ids.ts'
import type { AuditActor } from '../../organizations/ports.ts'
import { accountEntry } from '../slot/auditOf.ts'
import type { BillingDeps } from '../slot/ports.ts'

const changes = {
  default_changed: 'default_card',
  removed: 'removed_card',
} as const

export type CardChange = keyof typeof changes

/**
 * Writes into the audit log what became of a card at the gateway. Writes nothing if the log said so last, as when a request is sent again.
 * @throws CommonError `service_unavailable`
 */
export function recordCard(
  { records, clock }: Pick<BillingDeps, 'records' | 'clock'>,
  organizationId: OrganizationId,
  { change, card, actor }: { change: CardChange; card: string; actor: AuditActor },
): Promise<void> {
  const entry = accountEntry(
    organizationId,
    { action: `payment_method.${change}`, actor, target: card, detail: {} },
    clock.now(),
  )
  return records.recordAccountChange(organizationId, { of: changes[change], value: card }, entry)
}
