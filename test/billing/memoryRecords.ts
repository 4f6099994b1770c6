import type { CheckoutContext } from '../../lib/billing/checkout/readCart.ts'
import type { BillingDeps, BillingRecords, SlotChange } from '../../lib/billing/slot/ports.ts'
import { redeemerOf } from '../../lib/billing/slot/redeemer.ts'
import { emptySlot, type Slot } from '../../lib/billing/slot/slot.ts'
import { account, noon, userId } from './fixtures.ts'

/** What a test may read of `memoryRecords`: the slots as stored, what was committed, and how often it was tried. */
export interface MemoryRecords extends Pick<BillingRecords, 'commit' | 'readTogether'> {
  slots(): Slot[]
  readonly committed: SlotChange[]
  readonly tries: number
}

/** Slots in memory, one for each product, each written only with the next `rev`, and the fixtures' account; coupons are recorded and not checked. */
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
    readTogether: async (organizationId, products) => ({
      account,
      slots: products.map((product) => slots.get(product) ?? emptySlot(organizationId, product)),
    }),
    async commit(change) {
      const { next } = change
      tries += 1
      const stored = slots.get(next.product)
      if ((stored?.rev ?? 0) !== next.rev - 1) return { slot: stored, couponTaken: false, accountChanged: false }
      slots.set(next.product, next)
      committed.push(change)
      return null
    },
  }
}

/** A checkout by the fixtures' user for the fixtures' organization, with 25 s left at noon. */
export function checkoutContext(deps: BillingDeps, change: Partial<CheckoutContext> = {}): CheckoutContext {
  const deadline = (noon + 25) * 1000
  return {
    deps,
    account,
    gateway: deps.gateways.card,
    userId,
    redeemer: redeemerOf({ userId, securityRev: 0 }, undefined),
    paymentMethodId: undefined,
    couponCode: undefined,
    deadline,
    ...change,
  }
}
