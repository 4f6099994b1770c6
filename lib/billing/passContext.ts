import type { Drift } from './drift.ts'
import type { GatewayListing } from './gatewayPorts.ts'
import type { Pass } from './pass.ts'
import type { BillingDeps, PassRecords } from './ports.ts'

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
