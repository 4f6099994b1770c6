import type { GatewayListing } from '../gateway/gatewayPorts.ts'
import type { Page } from '../gateway/page.ts'
import type { BillingDeps } from '../slot/ports.ts'
import type { Slot, SlotName } from '../slot/slot.ts'
import type { Drift } from './drift.ts'
import type { Pass } from './pass.ts'

/** A slot that is not free, and whether the pass found its subscription in the gateway's list. */
export interface ListedSlot {
  slot: Slot
  seen: boolean
}

/** Where the pass through everything is, and the slots that it compares. Throws `CommonError` `service_unavailable`. */
export interface PassRecords {
  readPass(): Promise<Pass | undefined>
  /** Written while the stored `rev` is `pass.rev - 1`; false where another run was faster. */
  writePass(pass: Pass): Promise<boolean>
  /** The slots with these names, an empty one for a slot that was never written; one read for every 100. */
  readSlots(names: readonly SlotName[]): Promise<Slot[]>
  /** Marks a slot as seen by this pass while it holds this subscription; outside `rev`, so that no other writer is disturbed. */
  markSeen(slot: SlotName, subscriptionId: string, passId: string): Promise<void>
  /** A page of a scan of all slots that are not free. A slot that was written since it was marked is not seen. */
  listHeld(passId: string, cursor?: string): Promise<Page<ListedSlot>>
}

export interface ReconcileDeps extends BillingDeps {
  readonly passes: PassRecords
  readonly listing: GatewayListing
}

/** Everything that a phase uses, and the pass that it belongs to. */
export interface PassContext extends ReconcileDeps {
  readonly dryRun: boolean
  readonly pass: Pass
  report(drift: Drift): void
}

/** How many rows a page had, and where the next one begins; absent on the last page. */
export interface ComparedRows {
  rows: number
  next?: string
}
