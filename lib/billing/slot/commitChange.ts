import type { BillingRecords, Conflict, SlotChange } from './ports.ts'

/**
 * Writes one slot's change. A coupon that is to be given back but is held by another purchase, as after a restore, remains with
 * that one: the slot does not wait for it.
 * @returns null where it was committed
 * @throws CommonError `service_unavailable`
 */
export async function commitChange(
  records: Pick<BillingRecords, 'commit'>,
  change: SlotChange,
): Promise<Conflict | null> {
  const conflict = await records.commit(change)
  const { redemption, ...withoutCoupon } = change
  if (!conflict?.couponTaken || conflict.slot || redemption?.change !== 'release') return conflict
  return records.commit(withoutCoupon)
}
