import type { CheckoutContext } from '../../lib/billing/checkoutRun.ts'
import type { BillingDeps, BillingRecords, SlotChange } from '../../lib/billing/ports.ts'
import type { Slot } from '../../lib/billing/slot.ts'
import { noon, organizationId, userId } from './fixtures.ts'

/** What a test may look at of `memoryRecords`: the slots as they stand, what was committed, and how often it was tried. */
export interface MemoryRecords extends Pick<BillingRecords, 'commit'> {
  slots(): Slot[]
  readonly committed: SlotChange[]
  readonly tries: number
}

/** Slots in memory behind their fences, one for each product; coupons are noted and not checked. */
export function memoryRecords(given: readonly Slot[]): MemoryRecords {
  const slots = new Map(given.map((slot) => [slot.product, slot]))
  const committed: SlotChange[] = []
  let tries = 0
  return {
    committed,
    get tries() {
      return tries
    },
    slots: () => [...slots.values()],
    async commit(changes) {
      tries += 1
      const lost = changes.filter(({ next }) => (slots.get(next.product)?.rev ?? 0) !== next.rev - 1)
      if (lost.length > 0) {
        return {
          slots: lost.flatMap(({ next }) => slots.get(next.product) ?? []),
          couponTaken: false,
          customerForgotten: false,
        }
      }
      for (const { next } of changes) slots.set(next.product, next)
      committed.push(...changes)
      return null
    },
  }
}

/** A checkout of the fixtures' organization at noon, with 25 s to go. */
export function checkoutContext(deps: BillingDeps, change: Partial<CheckoutContext> = {}): CheckoutContext {
  const account = { organizationId, createdAt: '2026-01-01T00:00:00Z', customerRev: 0 }
  const deadline = (noon + 25) * 1000
  return { deps, account, userId, paymentMethodId: undefined, couponCode: undefined, deadline, ...change }
}
