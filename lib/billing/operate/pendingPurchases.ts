import type { Clock } from '../../core/clock.ts'
import { canNoLongerArrive } from '../checkout/submitPurchase.ts'
import type { BillingRecords, SlotListing } from '../slot/ports.ts'
import type { Slot, SlotName } from '../slot/slot.ts'

export interface PendingPurchasesDeps {
  readonly records: Pick<BillingRecords, 'readSlot'>
  readonly slots: SlotListing
  readonly clock: Clock
}

/**
 * What is known of a purchase under way. `sending`: a request sends it now. `unknown`: the gateway's answer was lost. `stored_failure`: the gateway
 * failed and may still make it. `absent_for_certain`: it can no longer arrive, so the next look-up settles it.
 */
type Knowledge = 'sending' | 'unknown' | 'stored_failure' | 'absent_for_certain'

/** A purchase under way. Times are Unix milliseconds. */
export interface PendingPurchase extends SlotName {
  readonly n: number
  /** When it was first sent. */
  readonly since: number
  readonly knowledge: Knowledge
  readonly nextSweepAt: number
}

/** Every purchase under way, the oldest first. A purchase that was settled since it was listed is left out. */
export async function pendingPurchases({ records, slots, clock }: PendingPurchasesDeps): Promise<PendingPurchase[]> {
  const listed = await slots.listPending()
  const read = await Promise.all(
    listed.map(async ({ organizationId, product }) => (await records.readSlot(organizationId, product)).slot),
  )
  const now = clock.now()
  return read
    .flatMap((slot) => {
      const { organizationId, product, n, claim } = slot
      if (slot.state !== 'pending' || claim === undefined) return []
      const { firstSent: since, nextSweepAt } = claim
      return [{ organizationId, product, n, since, nextSweepAt, knowledge: knowledgeOf(slot, now) }]
    })
    .toSorted((a, b) => a.since - b.since)
}

function knowledgeOf(slot: Slot, now: number): Knowledge {
  const { leaseUntil = 0, savedAt } = slot.claim ?? {}
  if (leaseUntil > now) return 'sending'
  if (canNoLongerArrive(slot, now)) return 'absent_for_certain'
  return savedAt === undefined ? 'unknown' : 'stored_failure'
}
