import { customerDigest } from '../customer/customer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isEnded } from '../gateway/subscription.ts'
import { keptPayment } from '../slot/refundPolicy.ts'
import type { Slot } from '../slot/slot.ts'
import { DAY, MONEY_DAYS } from '../timing.ts'
import { driftOf } from './drift.ts'
import type { PassContext } from './passContext.ts'

/**
 * Reports a subscription if it ended and keeps a payment that no slot recorded. That happens when a purchase arrives after it was given
 * up, when a person makes a purchase by hand, or when a person pays an invoice that was still open at the end.
 */
export async function reportKeptPayment(context: PassContext, slot: Slot, row: GatewaySubscription): Promise<void> {
  const { records, pass, report } = context
  if (!isEnded(row.status) || !row.wasPaid || (row.endedAt ?? 0) * 1000 < pass.startedAt - MONEY_DAYS * DAY) return
  const isOwn = slot.subscription?.id === row.id
  // The list shows when the latest invoice was paid, and almost always that was before the end.
  if (isOwn && row.invoicePaidAt !== null && row.invoicePaidAt <= (row.endedAt ?? 0)) return
  const { account } = await records.readSlot(slot.organizationId, slot.product)
  if (account?.customer?.digest !== customerDigest(row.customerId)) return
  const paid = await gatewayOf(context.gateways, row).invoices.listPaidInvoices(row.id)
  const own =
    slot.subscription && !isOwn
      ? await gatewayOf(context.gateways, slot).purchases.fetchSubscription(slot.subscription.id)
      : undefined
  const why = isOwn
    ? 'it ended, and was paid after that: refund the payment at the gateway'
    : 'it ended, and keeps a payment that no slot recorded'
  const drift = driftOf(slot, { remedy: 'report', why, slot, latest: row })
  const isUnseen = paid.kind !== 'ok' || own?.kind === 'unknown'
  if (isUnseen) report({ ...drift, why: 'it ended, and its payments could not be looked at' })
  else if (keptPayment(row, own?.kind === 'ok' ? own.value : isOwn ? row : undefined, paid.value)) report(drift)
}
