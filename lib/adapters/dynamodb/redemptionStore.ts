import type { SlotChange } from '../../billing/slot/ports.ts'
import { type AppliedCoupon, productCode, type Slot } from '../../billing/slot/slot.ts'
import type { TransactItem } from './kit/transactWrite.ts'

type Redemption = NonNullable<SlotChange['redemption']>

export function redemptionKey({ id, userId }: Pick<AppliedCoupon, 'id' | 'userId'>) {
  return { pk: `COUPON#${id}`, sk: `USER#${userId}` }
}

/** Passes while purchase `n` of this slot holds the redemption. */
function heldBy(slot: Slot) {
  return {
    ConditionExpression: 'product_code = :slot AND n = :n',
    ExpressionAttributeValues: { ':slot': productCode(slot), ':n': slot.n },
  }
}

/**
 * A redemption exists once per coupon and user, and never expires: only the transaction that releases its slot deletes it. Reserving fails
 * if there is a redemption, applying fails if another purchase holds it, and releasing fails unless this purchase holds it.
 */
export function writeRedemption(table: string, slot: Slot, redemption: Redemption): TransactItem {
  const Key = redemptionKey(redemption.coupon)
  if (redemption.change === 'release') return { Delete: { TableName: table, Key, ...heldBy(slot) } }
  const Item = {
    ...Key,
    couponId: redemption.coupon.id,
    userId: redemption.coupon.userId,
    product_code: productCode(slot),
    n: slot.n,
    state: redemption.change === 'reserve' ? 'RESERVED' : 'APPLIED',
  }
  if (redemption.change === 'reserve') {
    return { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' } }
  }
  const held = heldBy(slot)
  const ConditionExpression = `attribute_not_exists(pk) OR (${held.ConditionExpression})`
  return { Put: { TableName: table, Item, ...held, ConditionExpression } }
}
