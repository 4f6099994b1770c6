import { customerDigest } from '../customer/customer.ts'
import type { GatewaySubscription } from '../gateway/subscription.ts'
import type { Slot, SlotName } from '../slot/slot.ts'
import { driftOf } from './drift.ts'
import type { PassContext } from './passContext.ts'

/** A slot whose purchase number was raised to one that the gateway had: none up to it is given to a purchase again. */
function raised(slot: Slot, n: number): Slot {
  return { ...slot, n, raisedTo: n, rev: slot.rev + 1 }
}

/**
 * Raises the slot's purchase number to that of a subscription of its organization's customer, as after a restore. Not while
 * the number belongs to a purchase that is not settled, whose coupon is held by it: that is reported, and a later pass does it.
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
