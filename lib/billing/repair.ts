import { reasonOf } from '../core/errors.ts'
import { customerDigest } from './customer.ts'
import { type Drift, isRecorded, type Remedy, remedyOf } from './drift.ts'
import { removeOrphan } from './orphan.ts'
import type { BillingDeps } from './ports.ts'
import { project } from './projection.ts'
import type { Slot } from './slot.ts'
import type { GatewaySubscription } from './subscription.ts'

export interface RepairDeps extends Pick<BillingDeps, 'records' | 'gateway' | 'clock' | 'logger'> {
  /** Reports what would be done, and does nothing. */
  readonly dryRun: boolean
}

export type SlotName = Pick<Slot, 'organizationId' | 'product'>

/** How often a difference is read again after a conflict. */
const ATTEMPTS = 3

/** Reads slot and subscription again and applies the remedy; returns no drift where there is none any more. */
export async function repair(context: RepairDeps, subscriptionId: string, name: SlotName): Promise<Drift[]> {
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const drift = await repairOnce(context, subscriptionId, name)
      if (drift) return drift
    }
    return [driftOf(name, subscriptionId, 'report', 'the slot kept changing')]
  } catch (error) {
    return [driftOf(name, subscriptionId, 'report', reasonOf(error))]
  }
}

/** @returns null on a conflict */
async function repairOnce(context: RepairDeps, subscriptionId: string, name: SlotName): Promise<Drift[] | null> {
  const { records, gateway, clock, dryRun } = context
  const { account, slot } = await records.readSlot(name.organizationId, name.product)
  const latest = await gateway.fetchSubscription(subscriptionId)
  if (latest.kind === 'refused') return [driftOf(name, subscriptionId, 'report', 'the gateway does not know it', slot)]
  if (latest.kind === 'unknown') return [driftOf(name, subscriptionId, 'report', 'it could not be fetched', slot)]
  const drift = (remedy: Remedy, why: string, done = false): Drift[] => [
    driftOf(name, subscriptionId, remedy, why, slot, latest.value, done),
  ]
  if (account?.customer?.digest !== customerDigest(latest.value.customerId)) {
    return drift('report', 'it belongs to another customer than the organization’s')
  }

  const projection = project(slot, latest.value, clock.now())
  switch (projection.kind) {
    case 'ignore':
      return []
    case 'surplus':
      return drift('cancel and refund', 'no slot holds it', !dryRun && (await removeOrphan(context, latest.value)))
    case 'fetch own':
      return drift('report', 'live beside the slot’s own')
    case 'report':
      return drift('report', projection.why)
    case 'write':
      if (isRecorded(slot, latest.value)) return []
      if (!dryRun && (await records.commit([projection.change]))) return null
      return drift(remedyOf(slot, latest.value), 'the record is behind', !dryRun)
  }
}

function driftOf(
  { organizationId, product }: SlotName,
  subscriptionId: string,
  remedy: Remedy,
  why: string,
  slot?: Slot,
  latest?: GatewaySubscription,
  done = false,
): Drift {
  return {
    remedy,
    organizationId,
    product,
    subscriptionId,
    here: slot ? `${slot.state}, n=${slot.n}` : 'not read',
    there: latest ? `${latest.status}, n=${latest.purchase?.n}` : 'not known',
    why,
    done,
  }
}
