import { customerDigest } from '../customer/customer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isEnded } from '../gateway/subscription.ts'
import type { Slot } from '../slot/slot.ts'
import { DAY, EVENT_DAYS } from '../timing.ts'
import { driftOf } from './drift.ts'
import { listed } from './listed.ts'
import type { PassContext } from './passContext.ts'

/**
 * Reports a purchase by card that ended unpaid if its coupon is limited: the gateway counts the redemption for good, though nothing was bought
 * with it. The record has given it back, but the customer cannot use it again. Only a person can make another code. Reported for a week.
 */
export async function reportLostRedemption(context: PassContext, slot: Slot, row: GatewaySubscription): Promise<void> {
  const { records, pass, report } = context
  if (!gatewayOf(context.gateways, row).cards || !isEnded(row.status) || row.wasPaid) return
  if ((row.endedAt ?? 0) * 1000 < pass.startedAt - EVENT_DAYS * DAY) return
  const coupon = row.coupon ?? (slot.subscription?.id === row.id ? slot.coupon : undefined)
  if (!coupon) return
  const { account } = await records.readSlot(slot.organizationId, slot.product)
  if (account?.customer?.digest !== customerDigest(row.customerId)) return
  const counted = listed(await context.listing.countRedemptions(coupon))
  if (counted === null || counted.redeemed === 0) return
  report(
    driftOf(slot, {
      remedy: 'report',
      why: 'it ended unpaid, and the gateway still counts its redemption of a limited coupon: give the customer another code',
      latest: row,
      here: 'not redeemed',
      there: `coupon ${coupon.code}, ${counted.redeemed} of ${counted.limit} redeemed`,
    }),
  )
}
