import type { OrganizationId } from '../../core/ids.ts'
import type { GatewayListing, Page } from '../gateway/gatewayPorts.ts'
import type { MoneyMail } from '../slot/moneyMail.ts'
import type { BillingDeps } from '../slot/ports.ts'
import type { Slot, SlotName } from '../slot/slot.ts'
import type { Drift } from './drift.ts'
import type { OverdueSum, Pass } from './pass.ts'

/** A held slot, and whether the pass found its subscription in the gateway's list. */
export interface ListedSlot {
  slot: Slot
  seen: boolean
}

/** The progress of the pass, and the slots that it compares. Throws `CommonError` `service_unavailable`. */
export interface PassRecords {
  readPass(): Promise<Pass | undefined>
  /** Writes if the stored `rev` is `pass.rev - 1`; false if another run was faster. */
  writePass(pass: Pass): Promise<boolean>
  /** The slots with these names; an empty slot if it was never written. Reads 100 slots a request. */
  readSlots(names: readonly SlotName[]): Promise<Slot[]>
  /** Marks a slot as seen by this pass if it holds this subscription. `rev` does not change, so other writers do not conflict. */
  markSeen(slot: SlotName, subscriptionId: string, passId: string): Promise<void>
  /** Stores the mail about the cards that expire in this month (`2027-01`), unless it was stored for the organization before. */
  noteExpiringCard(organizationId: OrganizationId, month: string, mail: MoneyMail): Promise<void>
  /** A page of a scan of all held slots. If a slot was written after the mark, it counts as not seen. */
  listHeld(passId: string, cursor?: string): Promise<Page<ListedSlot>>
}

export interface ReconcileDeps extends BillingDeps {
  readonly passes: PassRecords
  readonly listing: GatewayListing
}

export interface PassContext extends ReconcileDeps {
  readonly dryRun: boolean
  readonly pass: Pass
  report(drift: Drift): void
}

/** How many rows a page had, and the cursor of the next page; absent on the last page. */
export interface ComparedRows {
  rows: number
  next?: string
  /** The sums of overdue invoices up to this page. */
  overdue?: readonly OverdueSum[]
}
