import { reasonOf } from '../../core/errors.ts'
import { customerDigest } from '../customer/customer.ts'
import { fetchKnown } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { GatewaySubscription } from '../gateway/subscription.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import { cancelAndRefund, judgeRemoval } from '../slot/removeSubscription.ts'
import type { Slot, SlotName } from '../slot/slot.ts'
import { commitChange } from '../slot/slotChange.ts'
import { type Synchronized, type SynchronizePolicy, synchronizeSlot } from '../slot/synchronizeSlot.ts'
import { type Drift, driftOf, isPriced, isRecorded, type Remedy, remedyOf } from './drift.ts'
import type { Pass } from './pass.ts'

interface RepairDeps extends BillingDeps {
  /** Reports the remedies, and writes nothing. */
  readonly dryRun: boolean
  /** A pass that only adopts removes no surplus. */
  readonly pass: Pick<Pass, 'adoptOnly'>
  /** Called if the gateway does not know the subscription; returns the drift to report. */
  readonly onMissing?: (slot: Slot, account: BillingAccount | undefined) => Promise<Drift[]>
}

/** A subscription and its gateway, which may differ from the slot's gateway. */
type CandidateSubscription = Parameters<typeof gatewayOf>[1] & { id: string }

/**
 * Reads slot and subscription again, and applies the remedy. Returns no drift if slot and subscription agree by now. Never throws: if
 * something goes wrong, it reports that.
 */
export async function repair(deps: RepairDeps, candidate: CandidateSubscription, name: SlotName): Promise<Drift[]> {
  const drift: Drift[] = []
  try {
    const found = await readSlotAndLatest(deps, candidate, name, drift)
    if (found.kind === 'found') await synchronizeSlot(deps, found, repairPolicy(deps, candidate, name, drift))
  } catch (error) {
    drift.push(driftOf(name, { remedy: 'report', subscriptionId: candidate.id, why: reasonOf(error) }))
  }
  return drift
}

/** The slot and its customer's latest subscription. `done` if the customer has no such subscription; `drift` then says why. */
async function readSlotAndLatest(
  deps: RepairDeps,
  candidate: CandidateSubscription,
  name: SlotName,
  drift: Drift[],
): Promise<({ kind: 'found' } & Synchronized) | { kind: 'done'; result: undefined }> {
  const done = { kind: 'done', result: undefined } as const
  const { account, slot } = await deps.records.readSlot(name.organizationId, name.product)
  const fetched = await fetchKnown(gatewayOf(deps.gateways, candidate), candidate.id)
  if (fetched.kind !== 'found') {
    const isMissing = fetched.kind === 'missing'
    const more = isMissing ? await deps.onMissing?.(slot, account) : undefined
    const why = isMissing ? 'the gateway does not know it' : 'it could not be fetched'
    drift.push(...(more ?? [driftOf(name, { remedy: 'report', subscriptionId: candidate.id, why, slot })]))
    return done
  }
  const latest = fetched.subscription
  if (account?.customer?.digest === customerDigest(latest.customerId)) return { kind: 'found', slot, latest }
  drift.push(driftOf(slot, { remedy: 'report', why: whyNotTheirs(account), slot, latest }))
  return done
}

/** A table that was restored may lack the organization or its customer. */
function whyNotTheirs(account: BillingAccount | undefined): string {
  if (account === undefined) return 'there is no such organization'
  return account.customer === undefined
    ? 'the organization has no customer'
    : 'it belongs to another customer than the organization’s'
}

/** Reports every removal, everything left open, and every write of more than price and next charge. A dry run decides the same, and writes nothing. */
function repairPolicy(
  deps: RepairDeps,
  candidate: CandidateSubscription,
  name: SlotName,
  drift: Drift[],
): SynchronizePolicy<void> {
  const { records, dryRun } = deps
  const add = ({ slot, latest }: Synchronized, remedy: Remedy, why: string, done = false) =>
    void drift.push(driftOf(slot, { remedy, why, done, slot, latest }))
  return {
    first: 'fetch',
    again: () => readSlotAndLatest(deps, candidate, name, drift),
    async write({ slot }, { written, change }) {
      const isDrift = !isRecorded(slot, written)
      if (!isDrift && isPriced(slot, written)) return null
      const conflict = dryRun ? null : await commitChange(records, change)
      if (!conflict && isDrift) add({ slot, latest: written }, remedyOf(slot, written), 'the record is behind', !dryRun)
      return conflict
    },
    written: () => undefined,
    ignored: () => undefined,
    report: (found, why) => add(found, 'report', why),
    surplus: (found) =>
      removeSurplus(deps, found.latest, (remedy, why, done) => {
        add(found, remedy, why, done)
      }),
    unsettled: (found, because) =>
      because === 'not_fetched'
        ? add(found, 'report', 'the slot’s own subscription could not be fetched')
        : void drift.push(
            driftOf(name, { remedy: 'report', subscriptionId: candidate.id, why: 'the slot kept changing' }),
          ),
  }
}

/** Removes a surplus purchase, if the refund policy, the pass and the run allow it; otherwise reports it. */
async function removeSurplus(
  deps: RepairDeps,
  surplus: GatewaySubscription,
  add: (remedy: Remedy, why: string, done?: boolean) => void,
): Promise<void> {
  const decision = await judgeRemoval(deps, surplus, 'surplus')
  if (decision.kind === 'nothing_left') return
  if (deps.pass.adoptOnly) return add('report', 'a surplus purchase, which a pass after a restore leaves')
  if (decision.kind === 'keep') return add('report', `a surplus purchase, but ${decision.why}`)
  const removal = decision.kind === 'refund' && !deps.dryRun ? await cancelAndRefund(deps, surplus, decision) : decision
  add('cancel and refund', 'a surplus purchase', removal.kind === 'removed')
}
