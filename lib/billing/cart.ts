import { type CartLine, refused } from './cartLine.ts'
import { type Product, productOf } from './catalog.ts'
import { isFree, type Slot } from './slot.ts'

/** What a line needs before it can be answered. */
export type Step =
  | { kind: 'answered'; line: CartLine }
  | { kind: 'claim'; slot: Slot }
  | { kind: 'take_over'; slot: Slot }
  | { kind: 'resume'; slot: Slot }

/**
 * Reads a cart against the organization's slots: one step a line, in the order requested.
 * @param now Unix milliseconds
 */
export function readCart(productCodes: readonly string[], slots: readonly Slot[], now: number): Step[] {
  const seen = new Set<Product>()
  return productCodes.map((code) => {
    const product = productOf(code)
    const slot = slots.find((candidate) => candidate.product === product)
    if (product === undefined || slot === undefined) return answered(refused(code, 'unknown_plan'))
    if (seen.has(product)) return answered(refused(code, 'already_subscribed'))
    seen.add(product)
    return stepFor(code, slot, now)
  })
}

/** The step that a slot's state allows. A pending slot is taken over only after its lease has ended. */
export function stepFor(code: string, slot: Slot, now: number): Step {
  if (isFree(slot)) return { kind: 'claim', slot }
  if (slot.state === 'incomplete') return { kind: 'resume', slot }
  if (slot.state !== 'pending') return answered(refused(code, 'already_subscribed'))
  const leased = slot.claim !== undefined && slot.claim.leaseUntil > now
  return leased ? answered(refused(code, 'checkout_in_progress')) : { kind: 'take_over', slot }
}

function answered(line: CartLine): Step {
  return { kind: 'answered', line }
}
