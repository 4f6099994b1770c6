import type { ClaimedLine } from './completePurchase.ts'
import { leaseTakenOver, type Slot } from './slot.ts'
import { LEASE, REPLAY_WINDOW } from './timing.ts'

/** Who claims, and when (Unix milliseconds). `sweptAt` where it is the sweeper. */
export interface Lease {
  owner: string
  now: number
  sweptAt?: number
}

/**
 * A pending purchase whose lease has ended, carried on by another invocation; to be written before anything is sent. A key
 * that may still be replayed counts as sent now; an older one is only looked up, and stays quiet.
 */
export function takeOver(
  { code, slot }: { code: string; slot: Slot },
  { owner, now, sweptAt = slot.claim?.sweptAt }: Lease,
): ClaimedLine {
  if (!slot.claim) throw new Error('A pending slot has a claim')
  const mode = now - slot.claim.firstSent < REPLAY_WINDOW ? 'replay' : 'look_up'
  const lastSent = mode === 'replay' ? now : slot.claim.lastSent
  const swept = sweptAt !== undefined && { sweptAt }
  return {
    code,
    slot: leaseTakenOver(slot, { ...slot.claim, owner, leaseUntil: now + LEASE, lastSent, ...swept }),
    mode,
  }
}
