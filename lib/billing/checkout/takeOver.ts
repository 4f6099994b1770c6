import { createHash } from 'node:crypto'
import { isSameTerms } from '../slot/paymentTerms.ts'
import type { PaymentTerms } from '../slot/ports.ts'
import { leaseReleased, leaseTakenOver, purchaseOf, type Slot } from '../slot/slot.ts'
import { toFree } from '../slot/slotChange.ts'
import { LEASE, nextSweep, REPLAY_WINDOW } from '../timing.ts'
import type { CheckoutContext, PurchaseContext } from './readCart.ts'

/** Who claims, and when (Unix milliseconds). */
export interface Lease {
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
 * @param asked what the taker asks for, as `requestHash` returns it, and how its organization pays; `null` where it asks for no purchase
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

/** Gives a claim back for which nothing was sent: a new purchase frees its slot, an earlier one only loses its lease. */
export async function releaseClaim(
  { deps }: Pick<PurchaseContext, 'deps'>,
  { slot, mode, sentBefore }: ClaimedLine,
): Promise<void> {
  const change = mode === 'send' ? toFree(slot) : { next: leaseReleased(slot, { lastSent: sentBefore }) }
  // Where the store is unavailable as well, the lease ends by itself and the purchase is looked up later.
  await deps.records.commit(change).catch(() => deps.logger.error('Claim not given back', purchaseOf(slot)))
}
