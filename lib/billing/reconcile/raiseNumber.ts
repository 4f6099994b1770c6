import { customerDigest } from '../customer/customer.ts'
import type { GatewaySubscription } from '../gateway/subscription.ts'
import type { Slot, SlotName } from '../slot/slot.ts'
import { driftOf } from './drift.ts'
import type { PassContext } from './passContext.ts'

/** The slot with its purchase number raised to the gateway's: new purchases get higher numbers. */
function raised(slot: Slot, n: number): Slot {
  return { ...slot, n, raisedTo: n, rev: slot.rev + 1 }
}

/**
 * Raises the slot's purchase number if a subscription of its organization's customer has a higher number, as after a restore. If the
 * slot's purchase is not settled, its number holds the coupon: then this only reports the drift, and a later pass raises the number.
 * @throws CommonError `service_unavailable`
 */
export async function raiseNumber(
  context: Pick<PassContext, 'records' | 'dryRun' | 'report'>,
  name: SlotName & Pick<Slot, 'n'>,
  row: GatewaySubscription,
): Promise<void> {
  const n = row.purchase?.n ?? 0
  if (n <= name.n) return
  const { account, slot } = await context.records.readSlot(name.organizationId, name.product)
  const settled = slot.state !== 'pending' && slot.state !== 'incomplete'
  if (n <= slot.n || account?.customer?.digest !== customerDigest(row.customerId)) return
  const drift = driftOf(name, { remedy: 'raise', why: 'its purchase number is above the slot’s', slot, latest: row })
  if (context.dryRun || !settled) return context.report(drift)
  const conflict = await context.records.commit({ next: raised(slot, n) })
  context.report({ ...drift, done: conflict === null })
}
