import { type CartLine, refused } from './cartLine.ts'
import { type Product, productOf } from './catalog.ts'
import { isFree, type Slot } from './slot.ts'

/** What a line needs before it can be answered. */
export type LinePlan =
  | { kind: 'answered'; line: CartLine }
  | { kind: 'claim'; slot: Slot }
  | { kind: 'take_over'; slot: Slot }
  | { kind: 'resume'; slot: Slot }

/**
 * Reads a cart against the organization's slots: one plan a line, in the order requested.
 * @param now Unix milliseconds
 */
export function planCart(productCodes: readonly string[], slots: readonly Slot[], now: number): LinePlan[] {
  const seen = new Set<Product>()
  return productCodes.map((code) => {
    const product = productOf(code)
    const slot = slots.find((candidate) => candidate.product === product)
    if (product === undefined || slot === undefined) return answered(refused(code, 'unknown_plan'))
    if (seen.has(product)) return answered(refused(code, 'already_subscribed'))
    seen.add(product)
    return planLine(code, slot, now)
  })
}

/** The plan that a slot's state allows. A pending slot is taken over only after its lease has ended. */
export function planLine(code: string, slot: Slot, now: number): LinePlan {
  if (isFree(slot)) return { kind: 'claim', slot }
  if (slot.state === 'incomplete') return { kind: 'resume', slot }
  if (slot.state !== 'pending') return answered(refused(code, 'already_subscribed'))
  const leased = slot.claim !== undefined && slot.claim.leaseUntil > now
  return leased ? answered(refused(code, 'checkout_in_progress')) : { kind: 'take_over', slot }
}

function answered(line: CartLine): LinePlan {
  return { kind: 'answered', line }
}
