import type { GatewayListing } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { Pass } from '../../../lib/billing/reconcile/pass.ts'
import type { PassRecords } from '../../../lib/billing/reconcile/passContext.ts'
import { emptySlot } from '../../../lib/billing/slot/slot.ts'
import { ok } from '../fixtures.ts'

/** A gateway and a record without anything to compare, and the pass that was written last. */
export function emptyLists(): { passes: PassRecords; listing: GatewayListing; written: Pass[] } {
  const written: Pass[] = []
  return {
    written,
    passes: {
      readPass: async () => written.at(-1),
      async writePass(pass) {
        const isNext = (written.at(-1)?.rev ?? 0) === pass.rev - 1
        if (isNext) written.push(pass)
        return isNext
      },
      readSlots: async (names) => names.map(({ organizationId, product }) => emptySlot(organizationId, product)),
      markSeen: async () => {},
      noteExpiringCard: async () => {},
      listHeld: async () => ({ rows: [] }),
    },
    listing: {
      gateway: 'card',
      listSubscriptions: async () => ok({ rows: [] }),
      listCustomerSubscriptions: async () => ok([]),
      listCustomers: async () => ok({ rows: [] }),
      listUndeliveredEvents: async () => ok({ rows: [] }),
      listReversals: async () => ok({ rows: [] }),
      listOverdue: async () => ok({ rows: [] }),
      findPaidInvoice: async () => ok(null),
      countRedemptions: async () => ok(null),
    },
  }
}
