import { reasonOf } from '../../core/errors.ts'
import type { BillingDeps, PendingSlot, SlotListing } from '../slot/ports.ts'
import type { Slot } from '../slot/slot.ts'
import { BUDGET } from '../timing.ts'
import { settlePurchase } from './settlePurchase.ts'
import { lookUpPending } from './submitPurchase.ts'

export interface SweepDeps extends BillingDeps {
  readonly slots: SlotListing
}

/** What a sweep found and did. */
interface SweepReport {
  /** Purchases in the index, those under way included, and the age of the oldest one. */
  pending: number
  oldestSeconds: number
  /** Purchases that were taken over, and how many of them were settled. */
  swept: number
  resolved: number
}

/** Purchases that are settled at a time: after an outage there may be many. */
const TOGETHER = 4

/**
 * Settles the purchases that no request repeats, some minutes after they were last sent and then once a day. It looks them up:
 * one that the gateway has is written into its slot, one that it surely never had frees the slot. It sends no purchase.
 * @param finishBy Unix milliseconds; what does not fit is left for the next sweep
 * @throws CommonError `service_unavailable` if the pending purchases cannot be listed
 */
export async function sweep(deps: SweepDeps, finishBy: number): Promise<SweepReport> {
  const now = deps.clock.now()
  const pending = await deps.slots.listPending()
  const due = pending.filter(({ nextSweepAt }) => nextSweepAt <= now)
  const report = { pending: pending.length, oldestSeconds: oldestOf(pending, now), swept: 0, resolved: 0 }
  for (let next = 0; next < due.length && deps.clock.now() + BUDGET <= finishBy; next += TOGETHER) {
    const results = await Promise.all(due.slice(next, next + TOGETHER).map((slot) => sweepSafely(deps, slot)))
    report.swept += results.filter((result) => result !== 'not_due').length
    report.resolved += results.filter((result) => result === 'resolved').length
  }
  return report
}

function oldestOf(pending: readonly PendingSlot[], now: number): number {
  return pending.reduce((oldest, { firstSent }) => Math.max(oldest, Math.round((now - firstSent) / 1000)), 0)
}

type Result = 'not_due' | 'resolved' | 'still_pending'

/** A failure with one slot does not keep the others waiting. */
async function sweepSafely(deps: SweepDeps, pending: PendingSlot): Promise<Result> {
  try {
    return await sweepSlot(deps, pending)
  } catch (error) {
    const { organizationId, product } = pending
    deps.logger.error('Purchase not swept', { organizationId, product, reason: reasonOf(error) })
    return 'still_pending'
  }
}

async function sweepSlot(deps: SweepDeps, { organizationId, product }: PendingSlot): Promise<Result> {
  const { account, slot } = await deps.records.readSlot(organizationId, product)
  const now = deps.clock.now()
  if (!account || !isDue(slot, now)) return 'not_due'
  const found = await lookUpPending(deps, account, slot)
  if (found === null) return 'not_due'
  const settled = await settlePurchase({ deps, account, deadline: now + BUDGET }, found.line, found.outcome)
  if (settled.kind !== 'answered') return 'resolved'
  return settled.line.ok || settled.line.error === 'already_subscribed' ? 'resolved' : 'still_pending'
}

function isDue({ state, claim }: Slot, now: number): boolean {
  return state === 'pending' && claim !== undefined && claim.leaseUntil <= now && claim.nextSweepAt <= now
}
