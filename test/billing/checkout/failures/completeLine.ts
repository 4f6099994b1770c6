import { answered, type CartLine } from '../../../../lib/billing/checkout/cartLine.ts'
import type { ClaimedLine } from '../../../../lib/billing/checkout/holdSlot.ts'
import type { CartOffer, CheckoutContext, PurchaseContext } from '../../../../lib/billing/checkout/readCart.ts'
import { type Settled, settleLine, settlePurchase } from '../../../../lib/billing/checkout/settlePurchase.ts'
import { submitLine, submitPurchase } from '../../../../lib/billing/checkout/submitPurchase.ts'
import type { HeldSlot } from '../../../../lib/billing/slot/slot.ts'

/** Submits a claimed purchase of this customer and settles it, as a checkout does. */
export async function completePurchase(context: PurchaseContext, line: ClaimedLine, customerId: string) {
  const outcome = await submitPurchase(context.deps, line, customerId, context.deadline)
  const named = outcome.kind === 'refused' ? { ...outcome, customerId } : outcome
  return inShort(await settlePurchase(context, line, named))
}

/** Buys an incomplete purchase again, as a checkout does. */
export async function payIncomplete(
  context: CheckoutContext,
  code: string,
  slot: HeldSlot,
  offer: Partial<CartOffer> = {},
) {
  const line = { kind: 'pay_incomplete', code, slot } as const
  const nothing = { kind: 'unknown', saved: false } as const
  const cart = {
    ...context,
    deps: { ...context.deps, users: { find: async () => undefined } },
    prices: nothing,
    coupon: { kind: 'none' } as const,
    details: 'unknown' as const,
    arrears: 'unknown' as const,
    customer: async () => nothing,
    ...offer,
  }
  return inShort(await settleLine(cart, line, await submitLine(cart, line)))
}

/** The line, or the slot that may be bought once more. */
function inShort(settled: Settled): CartLine | Record<string, unknown> {
  switch (settled.kind) {
    case 'answered':
      return answered(settled.line).line
    case 'incomplete':
      return { incomplete: settled.slot }
    case 'price_unavailable':
      return { released: settled.slot, stalePrices: true }
    case 'free':
      return { released: settled.slot }
  }
}
