import type { BillingRecords, Conflict, SlotChange } from './ports.ts'

/**
 * Writes a slot's change. If the change gives back a coupon that another purchase holds, as after a restore, the coupon remains with
 * that purchase: the slot does not wait for it.
 * @returns null if it was committed
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
