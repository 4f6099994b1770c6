import { stepFor } from './cart.ts'
import { type CartLine, refused } from './cartLine.ts'
import { planCodes } from './catalog.ts'
import type { Conflict, Coupon, Price, SlotChange } from './ports.ts'
import type { CheckoutContext, ClaimedLine } from './purchase.ts'
import { type AppliedCoupon, claimed, reclaimed, type Slot } from './slot.ts'
import { LEASE, REPLAY_WINDOW } from './timing.ts'

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
  const owner = context.deps.ids.uuid()
  const changes = wanted.map((line) => claimChange(context, line, owner, coupon))
  const conflict = await context.deps.records.commit(changes)
  if (conflict === null) {
    return wanted.map((line, index) => held(line, changes[index]?.next ?? line.slot))
  }
  const lost = wanted.map((line) => lostTo(context, line, conflict))
  const others = wanted.filter((_, index) => lost[index] === undefined)
  // Every round answers at least one line, so this ends after as many rounds as there are lines.
  const claimedOthers = others.length < wanted.length ? await claimLines(context, others, coupon) : []
  return wanted.map(
    (line, index) =>
      lost[index] ?? claimedOthers[others.indexOf(line)] ?? lostLine(refused(line.code, 'checkout_in_progress')),
  )
}

function claimChange(
  context: CheckoutContext,
  line: WantedLine,
  owner: string,
  coupon: Coupon | undefined,
): SlotChange {
  const now = context.deps.clock.now()
  const lease = { owner, leaseUntil: now + LEASE }
  if (line.kind === 'take_over') return { next: takenOver(line.slot, lease, now) }
  const applied: AppliedCoupon | undefined = coupon && { id: coupon.id, code: coupon.code, userId: context.userId }
  const frozenRequest = context.deps.gateway.freezeSubscription({
    priceId: line.price.id,
    paymentMethodId: context.paymentMethodId,
    coupon,
    purchase: {
      organization_id: context.account.organizationId,
      product: line.slot.product,
      plan_code: planCodes[line.slot.product],
      n: line.slot.n + 1,
      user_id: context.userId,
    },
  })
  const claim = { ...lease, firstSent: now, lastSent: now, frozenRequest, userId: context.userId }
  return {
    next: claimed(line.slot, claim, applied),
    ...(applied && { redemption: { coupon: applied, change: 'reserve' as const } }),
  }
}

/** A key that may still be replayed counts as sent now; an older one is only looked up, and stays quiet. */
function takenOver(slot: Slot, lease: { owner: string; leaseUntil: number }, now: number): Slot {
  if (!slot.claim) throw new Error('A pending slot has a claim')
  const replayable = now - slot.claim.firstSent < REPLAY_WINDOW
  return reclaimed(slot, { ...slot.claim, ...lease, lastSent: replayable ? now : slot.claim.lastSent })
}

function lostTo(context: CheckoutContext, line: WantedLine, conflict: Conflict): ClaimResult | undefined {
  const standing = conflict.slots.find((slot) => slot.product === line.slot.product)
  if (standing) {
    const step = stepFor(line.code, standing, context.deps.clock.now())
    return lostLine(step.kind === 'answered' ? step.line : refused(line.code, 'checkout_in_progress'))
  }
  return conflict.couponTaken ? lostLine(refused(line.code, 'coupon_already_redeemed')) : undefined
}

function held(line: WantedLine, slot: Slot): ClaimResult {
  return { kind: 'held', line: { code: line.code, slot, takenOver: line.kind === 'take_over' } }
}

function lostLine(line: CartLine): ClaimResult {
  return { kind: 'lost', line }
}
