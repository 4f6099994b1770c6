import { isDeepStrictEqual } from 'node:util'
import { stripeStatusSchema } from '../../lib/adapters/stripe/readStatus.ts'
import { entitlementOf } from '../../lib/billing/entitlement.ts'
import { productCode, type Slot } from '../../lib/billing/slot.ts'
import type { World } from './world.ts'

type Books = ReturnType<World['stripe']['core']['control']['state']>
type Subscription = Books['subscriptions'][number]

/** What is wrong once everything has come to rest: the local record is the gateway's, and nothing is left held. */
export function notAtRest(world: World): string[] {
  const { slots, redemptions, entitlements } = world.records.save()
  const books = world.stripe.core.control.state()
  return [
    ...slots.flatMap((slot) => [
      ...slotDiffers(slot, ownOf(books, slot)),
      ...(isDeepStrictEqual(
        grantOf(slot),
        entitlements.map(withoutTime).find((own) => productCode(own) === productCode(slot)),
      )
        ? []
        : [`the entitlement of ${productCode(slot)} is not its slot's`]),
    ]),
    ...books.subscriptions.flatMap(({ id, status, metadata }) => {
      const owner = slots.find((slot) => slot.subscription?.id === id)
      return owner || hasEnded(status) ? [] : [`${id} (n=${metadata.n}) is ${status} and belongs to no slot`]
    }),
    ...redemptions.flatMap(({ couponId, productCode: holder, n, state }) => {
      const slot = slots.find((own) => productCode(own) === holder)
      const carried = books.subscriptions.some(
        (row) => slot && isOf(row, slot) && row.metadata.n === String(n) && usesCoupon(books, row),
      )
      const right = state === 'APPLIED' ? carried : slot?.state === 'pending' && slot.n === n
      return right ? [] : [`${couponId} is ${state} by n=${n}, and its slot is ${slot?.state} n=${slot?.n}`]
    }),
    ...books.subscriptions.flatMap((row) => {
      const held = redemptions.some(({ n, userId }) => String(n) === row.metadata.n && userId === row.metadata.user_id)
      return usesCoupon(books, row) && !held ? [`${row.id} used a coupon that is not redeemed`] : []
    }),
  ]
}

const hasEnded = (status: string) => status === 'canceled' || status === 'incomplete_expired'
const withoutTime = <Row extends { updatedAt: string }>({ updatedAt: _, ...row }: Row) => row

function grantOf(slot: Slot) {
  return slot.rev === 0 ? undefined : withoutTime(entitlementOf(slot, 0))
}

function isOf({ metadata }: Subscription, slot: Slot): boolean {
  return metadata.organization_id === slot.organizationId && metadata.product === slot.product
}

function ownOf({ subscriptions }: Books, slot: Slot): Subscription | undefined {
  return subscriptions.find(({ id }) => id === slot.subscription?.id)
}

/** How a slot differs from its own subscription at the gateway, in words. */
export function slotDiffers(slot: Slot, own: Subscription | undefined): string[] {
  const name = `${productCode(slot)} (${slot.state}, n=${slot.n})`
  if (slot.state === 'pending') return [`${name} is still pending`]
  if (!slot.subscription) return slot.state === 'none' ? [] : [`${name} has no subscription`]
  if (!own) return [`${name} has a subscription that the gateway does not know`]
  const { status } = slot.subscription
  const there = {
    status: stripeStatusSchema.parse(own.status),
    currentPeriodEnd: own.items.data[0]?.current_period_end ?? null,
    cancelAt: own.cancel_at,
    endedAt: own.ended_at,
  }
  const { id: _id, coveredUntil: _clock, ...here } = slot.subscription
  if (isDeepStrictEqual(here, there) && slot.state === status) return []
  return [`${name} is ${JSON.stringify(here)}, at the gateway ${JSON.stringify(there)}`]
}

/** Whether a discount of this subscription was given, or still may be. */
function usesCoupon({ invoices, discounts }: Books, { id, status }: Subscription): boolean {
  const discounted = discounts.some(({ subscription }) => subscription === id)
  const paid = invoices.some((row) => row.parent?.subscription_details?.subscription === id && row.status === 'paid')
  return discounted && (paid || !hasEnded(status))
}
