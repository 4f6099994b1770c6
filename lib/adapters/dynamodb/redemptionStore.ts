import type { CouponRedemption } from '../../billing/slot/ports.ts'
import type { Redeemer } from '../../billing/slot/redeemer.ts'
import { productCode, type Slot } from '../../billing/slot/slot.ts'
import type { TransactItem } from './kit/transactWrite.ts'

/** @param redeemer the digest of the redeemer; in purchases of earlier versions their id */
function redemptionKey(couponId: string, redeemer: string) {
  return { pk: `COUPON#${couponId}`, sk: `USER#${redeemer}` }
}

/** Every key under which a user's redemption of a coupon may be stored. */
export function redemptionKeys(couponId: string, { digest, earlierId }: Redeemer) {
  return [redemptionKey(couponId, digest), redemptionKey(couponId, earlierId)]
}

const NOT_REDEEMED = 'attribute_not_exists(pk)'

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
export function writeRedemption(table: string, slot: Slot, redemption: CouponRedemption): TransactItem[] {
  const { coupon, change, earlierId } = redemption
  const redeemer = coupon.redeemer ?? coupon.userId
  const Key = redemptionKey(coupon.id, redeemer)
  if (change === 'release') return [{ Delete: { TableName: table, Key, ...heldBy(slot) } }]
  const purchase = { product_code: productCode(slot), n: slot.n }
  const state = change === 'reserve' ? 'RESERVED' : 'APPLIED'
  const Item = { ...Key, couponId: coupon.id, redeemer, ...purchase, state }
  if (change === 'reserve') {
    const put = { TableName: table, Item, ConditionExpression: NOT_REDEEMED }
    const earlier = earlierId === undefined ? [] : [checkNotRedeemed(table, redemptionKey(coupon.id, earlierId))]
    return [{ Put: put }, ...earlier]
  }
  const held = heldBy(slot)
  const ConditionExpression = `${NOT_REDEEMED} OR (${held.ConditionExpression})`
  return [{ Put: { TableName: table, Item, ...held, ConditionExpression } }]
}

function checkNotRedeemed(TableName: string, Key: ReturnType<typeof redemptionKey>): TransactItem {
  return { ConditionCheck: { TableName, Key, ConditionExpression: NOT_REDEEMED } }
}
