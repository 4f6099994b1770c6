import type { OrganizationId } from '../../core/ids.ts'
import { owedBy } from '../customer/owedInvoices.ts'
import { gatewayFailure } from '../gateway/gatewayFailure.ts'
import type { OwedInvoice } from '../gateway/gatewayPorts.ts'
import { accountEntry } from '../slot/auditOf.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { type NotDone, refuseCommand } from './operate.ts'

/** The result of a write-off: the invoices that are no longer owed. */
export type WrittenOff = { kind: 'done'; invoices: readonly OwedInvoice[] } | NotDone

/**
 * Writes off everything that an organization owes, by an operator's decision: the gateway marks each invoice uncollectible. Each has its entry
 * in the audit log. If it stops half-way, repeat it: what was written off is no longer owed.
 * @throws BillingError `gateway_refused`, `gateway_unavailable`; CommonError `service_unavailable`
 */
export async function writeOff(
  deps: Pick<BillingDeps, 'records' | 'gateways' | 'cipher' | 'clock' | 'logger'>,
  { organizationId }: { organizationId: OrganizationId },
  { dryRun = false } = {},
): Promise<WrittenOff> {
  const account = await deps.records.readAccount(organizationId)
  if (!account) return refuseCommand('there is no such organization')
  const owed = await owedBy(deps, account)
  for (const { invoice, sentBy } of dryRun ? [] : owed) {
    const { id, amount, currency } = invoice
    const marked = await sentBy.writeOff(id)
    if (marked.kind !== 'ok') throw gatewayFailure(marked)
    const done = { action: 'invoice.written_off', actor: operator, target: id, detail: { amount, currency } } as const
    await deps.records.addEntry(accountEntry(organizationId, done, deps.clock.now()))
    deps.logger.warn('Invoice written off by an operator', { organizationId, invoiceId: id, amount, currency })
  }
  return { kind: 'done', invoices: owed.map(({ invoice }) => invoice) }
}

const operator = { type: 'operator', id: null } as const
