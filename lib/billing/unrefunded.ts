import { customerDigest } from './customer.ts'
import { driftOf } from './drift.ts'
import type { PassContext } from './passContext.ts'
import type { Slot } from './slot.ts'
import { type GatewaySubscription, isEnded } from './subscription.ts'
import { DAY, MONEY_DAYS } from './timing.ts'

/**
 * Reports a subscription that ended, was paid and is not the one that its purchase number was recorded with: what a crash
 * between canceling and refunding a surplus leaves, and a purchase that was given up and arrived later.
 */
export async function reportUnrefunded(
  { records, listing, pass, report }: PassContext,
  slot: Slot,
  row: GatewaySubscription,
): Promise<void> {
  if (!isEnded(row.status) || !row.invoicePaid || (row.endedAt ?? 0) * 1000 < pass.startedAt - MONEY_DAYS * DAY) return
  // An older number may well be a purchase that was used and canceled; the slot remembers the latest one only.
  const n = row.purchase?.n ?? 0
  const latest = n > slot.n || (n === slot.n && slot.state !== 'pending')
  if (!latest || slot.subscription?.id === row.id) return
  const { account } = await records.readSlot(slot.organizationId, slot.product)
  if (account?.customer?.digest !== customerDigest(row.customerId)) return
  const paid = await listing.countUnrefunded(row.id)
  const drift = driftOf(slot, { remedy: 'report', why: 'it ended, was paid and no slot holds it', slot, latest: row })
  if (paid.kind !== 'ok') report({ ...drift, why: 'it could not be seen whether its payments were refunded' })
  else if (paid.value > 0) report({ ...drift, there: `${row.status}, ${paid.value} paid, not refunded` })
}
