import { createHash } from 'node:crypto'
import { planCodes } from '../catalog.ts'
import type { Coupon, PaymentGateway, Price } from '../gateway/gatewayPorts.ts'
import { isSameTerms, termsOf } from '../slot/paymentTerms.ts'
import type { PaymentTerms, SlotChange } from '../slot/ports.ts'
import { type Claim, claimed, leaseTakenOver, type Slot } from '../slot/slot.ts'
import { DAY, LEASE, MINUTE, REPLAY_WINDOW } from '../timing.ts'
import type { CheckoutContext } from './readCart.ts'

/** Who claims, and when (Unix milliseconds). */
interface Lease {
  owner: string
  now: number
}

/**
 * How a claimed purchase is submitted, decided when it was claimed: a new one is sent; the same request replays its key while
 * the gateway surely remembers it; everything else is only looked up.
 */
export type PurchaseMode = 'send' | 'replay' | 'look_up'

/** A pending slot that this request holds, and how its purchase is submitted. */
export interface ClaimedLine {
  code: string
  slot: Slot
  mode: PurchaseMode
  /** Whether the purchase is what this request asks for; one of another request is looked up, never sent. */
  same: boolean
  /** When the key may have been sent last before this request took it over; Unix milliseconds. */
  sentBefore: number
}

/** A slot that this request wants to hold. `price` is what a new purchase buys; a take-over keeps its frozen request. */
export type WantedLine = { code: string; slot: Slot } & ({ kind: 'claim'; price: Price } | { kind: 'take_over' })

/** The write by which a request holds a slot: a new claim with its coupon, or a take-over. */
export function holdSlot(
  context: CheckoutContext,
  line: WantedLine,
  lease: Lease,
  coupon: Coupon | undefined,
): { line: ClaimedLine; change: SlotChange } {
  const hash = requestHash(context)
  if (line.kind === 'take_over') {
    const taken = takeOver(line, lease, { hash, terms: context.account })
    return { line: taken, change: { next: taken.slot } }
  }
  const claim = newClaim(context, line, lease, { coupon, hash })
  const { userId, redeemer } = context
  const applied = coupon && { id: coupon.id, code: coupon.code, userId, redeemer: redeemer.digest }
  const next = claimed(line.slot, claim, applied)
  const redemption = applied && { coupon: applied, change: 'reserve' as const, earlierId: redeemer.earlierId }
  return {
    line: { code: line.code, slot: next, mode: 'send', same: true, sentBefore: lease.now },
    change: { next, ...(redemption && { redemption }) },
  }
}

function newClaim(
  context: CheckoutContext,
  { slot, price }: Extract<WantedLine, { kind: 'claim' }>,
  { owner, now }: Lease,
  { coupon, hash }: { coupon: Coupon | undefined; hash: string },
): Claim {
  const { account, userId } = context
  const frozenRequest = freezePurchase(context, slot, price, coupon)
  const times = { leaseUntil: now + LEASE, firstSent: now, lastSent: now, nextSweepAt: nextSweep(now, now) }
  return { ...termsOf(account), owner, ...times, frozenRequest, requestHash: hash, userId }
}

/** The parameters of a new purchase of a free slot, as its claim freezes them: a preview asks with the same parameters. */
export function freezePurchase(
  {
    gateway,
    account,
    userId,
    redeemer,
    paymentMethodId,
  }: Pick<CheckoutContext, 'account' | 'userId' | 'redeemer' | 'paymentMethodId'> & {
    gateway: Pick<PaymentGateway, 'purchases'>
  },
  slot: Slot,
  price: Price,
  coupon: Coupon | undefined,
): string {
  const { organizationId, daysUntilDue } = account
  const purchase = {
    organization_id: organizationId,
    product: slot.product,
    plan_code: planCodes[slot.product],
    n: slot.n + 1,
    user_id: userId,
    ...(coupon && { redeemer: redeemer.digest }),
  }
  return gateway.purchases.freezeSubscription({ price, paymentMethodId, coupon, daysUntilDue, purchase })
}

/**
 * Digest of what a request asks for: its card and its coupon as it names them. A card left out equals only a card left out.
 */
export function requestHash({ paymentMethodId, couponCode }: Pick<CheckoutContext, 'paymentMethodId' | 'couponCode'>) {
  return createHash('sha256')
    .update(JSON.stringify([paymentMethodId ?? null, couponCode ?? null]))
    .digest('hex')
}

/**
 * Moves the lease of a pending purchase to another invocation; to be written before anything is sent. Only the same request
 * replays the key, while the gateway surely remembers it and no stored failure was seen under it; the key then counts as sent
 * now. Any other one looks the purchase up, for a replay might execute what is not wanted any more; that leaves the key quiet. So does one
 * on whose terms the organization no longer pays: a claim whose function crashed may be older than the change, and was never sent then.
 * @param asked what the taker asks for, as `requestHash` returns it, and how its organization pays; `null` if it asks for no purchase
 */
export function takeOver(
  { code, slot }: { code: string; slot: Slot },
  { owner, now }: Lease,
  asked: { hash: string; terms: PaymentTerms } | null,
): ClaimedLine {
  const { claim } = slot
  if (!claim) throw new Error('A pending slot has a claim')
  const same = asked !== null && asked.hash === claim.requestHash
  const isSold = asked !== null && isSameTerms(asked.terms, claim)
  const replay = same && isSold && claim.savedAt === undefined && now - claim.firstSent < REPLAY_WINDOW
  const lastSent = replay ? now : claim.lastSent
  const nextSweepAt = nextSweep(lastSent, now)
  const taken = leaseTakenOver(slot, { ...claim, owner, leaseUntil: now + LEASE, lastSent, nextSweepAt })
  return { code, slot: taken, mode: replay ? 'replay' : 'look_up', same, sentBefore: claim.lastSent }
}

/**
 * When the sweeper looks up a pending purchase, counted from its last sending: soon, as soon as it can be proven absent, and about an
 * hour later. After that, once a day.
 */
const SWEEPS = [MINUTE, 6 * MINUTE, 16 * MINUTE, 65 * MINUTE]

/**
 * When the sweeper next looks up a pending purchase.
 * @param lastSent Unix milliseconds, as are `now` and the result
 */
export function nextSweep(lastSent: number, now: number): number {
  const age = now - lastSent
  const soon = SWEEPS.find((sweep) => sweep > age)
  return lastSent + (soon ?? (Math.floor(age / DAY) + 1) * DAY)
}
