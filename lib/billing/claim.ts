import { planLine } from './cart.ts'
import { type CartLine, refused } from './cartLine.ts'
import { planCodes } from './catalog.ts'
import type { CheckoutContext, ClaimedLine } from './completePurchase.ts'
import type { Conflict, Coupon, Price, SlotChange } from './ports.ts'
import { type AppliedCoupon, type Claim, claimed, type Slot } from './slot.ts'
import { type Lease, takeOver } from './takeOver.ts'
import { LEASE } from './timing.ts'

/** A line whose slot this request wants to hold; `price` is what a new purchase buys, a take-over keeps its frozen request. */
export type WantedLine = { code: string; slot: Slot } & ({ kind: 'claim'; price: Price } | { kind: 'take_over' })

/** A line after claiming: held by this request, or answered because somebody else was faster. */
export type ClaimResult = { kind: 'held'; line: ClaimedLine } | { kind: 'lost'; line: CartLine }

/**
 * Claims all lines in one transaction, the coupon's reservation with it. Whoever lost a slot in between is answered and
 * the others are claimed without them.
 * @throws CommonError `service_unavailable`; nothing may be sent then
 */
export async function claimLines(
  context: CheckoutContext,
  wanted: readonly WantedLine[],
  coupon: Coupon | undefined,
): Promise<ClaimResult[]> {
  if (wanted.length === 0) return []
  const lease = { owner: context.deps.ids.uuid(), now: context.deps.clock.now() }
  const claims = wanted.map((line) => claimOf(context, line, lease, coupon))
  const conflict = await context.deps.records.commit(
    claims.map(({ change }) => change),
    context.account,
  )
  if (conflict === null) return claims.map(({ line }) => ({ kind: 'held', line }))
  const lost = wanted.map((line) => lostTo(context, line, conflict))
  const others = wanted.filter((_, index) => lost[index] === undefined)
  // Every round answers at least one line, so this ends after as many rounds as there are lines.
  const claimedOthers = others.length < wanted.length ? await claimLines(context, others, coupon) : []
  return wanted.map(
    (line, index) =>
      lost[index] ?? claimedOthers[others.indexOf(line)] ?? lostLine(refused(line.code, 'checkout_in_progress')),
  )
}

function claimOf(
  context: CheckoutContext,
  line: WantedLine,
  lease: Lease,
  coupon: Coupon | undefined,
): { line: ClaimedLine; change: SlotChange } {
  if (line.kind === 'take_over') {
    const taken = takeOver(line, lease)
    return { line: taken, change: { next: taken.slot } }
  }
  const applied: AppliedCoupon | undefined = coupon && { id: coupon.id, code: coupon.code, userId: context.userId }
  const next = claimed(line.slot, newClaim(context, line, lease, coupon), applied)
  const redemption = applied && { coupon: applied, change: 'reserve' as const }
  return { line: { code: line.code, slot: next, mode: 'send' }, change: { next, ...(redemption && { redemption }) } }
}

function newClaim(
  context: CheckoutContext,
  { slot, price }: Extract<WantedLine, { kind: 'claim' }>,
  { owner, now }: Lease,
  coupon: Coupon | undefined,
): Claim {
  const { account, userId, paymentMethodId } = context
  const purchase = {
    organization_id: account.organizationId,
    product: slot.product,
    plan_code: planCodes[slot.product],
    n: slot.n + 1,
    user_id: userId,
  }
  const frozenRequest = context.deps.gateway.freezeSubscription({
    priceId: price.id,
    paymentMethodId,
    coupon,
    purchase,
  })
  return { owner, leaseUntil: now + LEASE, firstSent: now, lastSent: now, frozenRequest, userId }
}

function lostTo(context: CheckoutContext, line: WantedLine, conflict: Conflict): ClaimResult | undefined {
  const current = conflict.slots.find((slot) => slot.product === line.slot.product)
  if (current) {
    const plan = planLine(line.code, current, context.deps.clock.now())
    return lostLine(plan.kind === 'answered' ? plan.line : refused(line.code, 'checkout_in_progress'))
  }
  if (conflict.customerForgotten) return lostLine(refused(line.code, 'gateway_unavailable'))
  return conflict.couponTaken ? lostLine(refused(line.code, 'coupon_already_redeemed')) : undefined
}

function lostLine(line: CartLine): ClaimResult {
  return { kind: 'lost', line }
}
