import { reasonOf } from '../../core/errors.ts'
import { customerDigest } from '../customer/customer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isEnded } from '../gateway/subscription.ts'
import { commitChange } from '../slot/commitChange.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import { project } from '../slot/projection.ts'
import { cancelAndRefund, judgeRemoval } from '../slot/removeSubscription.ts'
import type { Slot, SlotName } from '../slot/slot.ts'
import { type Drift, driftOf, isRecorded, type Remedy, remedyOf } from './drift.ts'
import type { Pass } from './pass.ts'

export interface RepairDeps extends BillingDeps {
  /** Reports what would be done, and does nothing. */
  readonly dryRun: boolean
  /** A pass that only adopts removes no surplus. */
  readonly pass: Pick<Pass, 'adoptOnly'>
  /** Finds out more of a subscription that the gateway does not know. */
  readonly onMissing?: (slot: Slot, account: BillingAccount | undefined) => Promise<Drift[]>
}

/** A subscription of one gateway: not always of the one that the slot is at. */
type CandidateSubscription = Parameters<typeof gatewayOf>[1] & { id: string }

/** How often a difference is read again after a conflict. */
const ATTEMPTS = 3

/**
 * Reads slot and subscription again, and the slot's own subscription first where that decides, and applies the remedy. Returns
 * no drift where there is none any more. Never throws: what goes wrong is reported.
 */
export async function repair(deps: RepairDeps, candidate: CandidateSubscription, name: SlotName): Promise<Drift[]> {
  const subscriptionId = candidate.id
  const found: Drift[] = []
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await repairOnce(deps, candidate, name, found)) return found
    }
    return [...found, driftOf(name, { remedy: 'report', subscriptionId, why: 'the slot kept changing' })]
  } catch (error) {
    return [...found, driftOf(name, { remedy: 'report', subscriptionId, why: reasonOf(error) })]
  }
}

/** @returns false on a conflict */
async function repairOnce(
  deps: RepairDeps,
  candidate: CandidateSubscription,
  name: SlotName,
  found: Drift[],
): Promise<boolean> {
  const subscriptionId = candidate.id
  const { account, slot } = await deps.records.readSlot(name.organizationId, name.product)
  const latest = await gatewayOf(deps.gateways, candidate).purchases.fetchSubscription(subscriptionId)
  if (latest.kind === 'ok') return applyLatest(deps, { account, slot, latest: latest.value }, found)
  const isMissing = latest.kind === 'refused' && latest.reason === 'not_found'
  const why = isMissing ? 'the gateway does not know it' : 'it could not be fetched'
  const more = isMissing ? await deps.onMissing?.(slot, account) : undefined
  found.push(...(more ?? [driftOf(name, { remedy: 'report', subscriptionId, why, slot })]))
  return true
}

interface Compared {
  account: BillingAccount | undefined
  slot: Slot
  latest: GatewaySubscription
}

async function applyLatest(deps: RepairDeps, { account, slot, latest }: Compared, found: Drift[]): Promise<boolean> {
  const { records, clock, dryRun } = deps
  const add = (remedy: Remedy, why: string, done = false, about = latest): void =>
    void found.push(driftOf(slot, { remedy, why, done, slot, latest: about }))
  if (account?.customer?.digest !== customerDigest(latest.customerId)) {
    add('report', 'it belongs to another customer than the organization’s')
    return true
  }
  const own = await fetchOwn(deps, slot, latest)
  if (own === 'unknown') {
    add('report', 'the slot’s own subscription could not be fetched')
    return true
  }
  const projection = project(slot, latest, clock.now(), own)
  switch (projection.kind) {
    case 'ignore':
      return true
    case 'fetch own':
      throw new Error('The slot’s own subscription was fetched')
    case 'report':
      add('report', projection.why)
      return true
    case 'surplus':
      await remove(deps, latest, add)
      return true
    case 'write': {
      const { written, change } = projection
      if (isRecorded(slot, written)) return true
      if (!dryRun && (await commitChange(records, change))) return false
      add(remedyOf(slot, written), 'the record is behind', !dryRun, written)
      // The slot's own end was written first: the slot is free for this one now.
      return (
        written === latest || isEnded(latest.status) || applyLatest(deps, { account, slot: change.next, latest }, found)
      )
    }
  }
}

type Add = (remedy: Remedy, why: string, done?: boolean) => void

/** Removes a surplus purchase, if the refund policy, the pass and the run allow it; otherwise reports it. */
async function remove(deps: RepairDeps, surplus: GatewaySubscription, add: Add): Promise<void> {
  const decision = await judgeRemoval(deps, surplus, 'surplus')
  if (decision.kind === 'nothing_left') return
  if (deps.pass.adoptOnly) return add('report', 'a surplus purchase, which a pass after a restore leaves')
  if (decision.kind === 'keep') return add('report', `a surplus purchase, but ${decision.why}`)
  const removal = decision.kind === 'refund' && !deps.dryRun ? await cancelAndRefund(deps, surplus, decision) : decision
  add('cancel and refund', 'a surplus purchase', removal.kind === 'removed')
}

/** The slot's own subscription, where a projection of another one asks for it. */
async function fetchOwn(deps: RepairDeps, slot: Slot, latest: GatewaySubscription) {
  const projection = project(slot, latest, deps.clock.now())
  if (projection.kind !== 'fetch own') return undefined
  const own = await gatewayOf(deps.gateways, slot).purchases.fetchSubscription(projection.subscriptionId)
  if (own.kind === 'ok') return own.value
  return own.kind === 'refused' && own.reason === 'not_found' ? 'missing' : 'unknown'
}
