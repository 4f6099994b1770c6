import type { Logger } from '../../log/logger.ts'
import type { BuyingDeps } from '../slot/ports.ts'
import { ATTEMPT } from '../timing.ts'
import { agreePrices } from './agreePrices.ts'
import { answeredRefused, type CartLine, refused } from './cartLine.ts'
import { claimLines } from './claimLines.ts'
import { type LinePlan, planCart, planLine } from './planCart.ts'
import { type Cart, type CheckoutRequest, type ReadCart, readCart, readOffer } from './readCart.ts'
import { type Settled, settleLine } from './settlePurchase.ts'
import { submitLine } from './submitPurchase.ts'

/**
 * Buys a cart: read, plan, agree on its prices, claim, submit, settle. Returns one line for each product code, in the order requested. Every
 * line is safe to send again: the claims, not the caller, keep a purchase from happening twice.
 * @throws CommonError `invalid_token`, OrganizationError for a caller who may not buy here; nothing was written or sent then
 */
export async function checkout(deps: BuyingDeps, request: CheckoutRequest): Promise<CartLine[]> {
  const read = await readCart(deps, request)
  const plans = planCart(read, request)
  const lines = read && plans.some(isOpen) ? await buyOpen(read, plans, request) : plans.map(lineOf)
  logLines(deps.logger, lines)
  return lines
}

async function buyOpen(read: ReadCart, plans: readonly LinePlan[], request: CheckoutRequest): Promise<CartLine[]> {
  const cart = await readOffer(read, request)
  return buyCart(await agreePrices(cart, plans, request.expected), plans)
}

/** A coupon goes to the first line that can use it, so the lines of a cart with a coupon are bought one by one; others together. */
async function buyCart(cart: Cart, plans: readonly LinePlan[]): Promise<CartLine[]> {
  const turns = cart.coupon.kind === 'found' ? plans.map((plan) => [plan]) : [plans]
  const lines: CartLine[] = []
  for (const turn of turns) {
    const settled = await buyTogether(cart, turn)
    lines.push(...(settled.some(isOpen) ? await buyAgain(cart, settled) : settled.map(lineOf)))
  }
  return lines
}

/** Claims lines at once. Then submits and settles each by itself, one after another, for the gateway locks the customer. */
async function buyTogether(cart: Cart, plans: readonly LinePlan[]): Promise<Settled[]> {
  if (cart.deps.clock.now() > cart.deadline - ATTEMPT) {
    return plans.map((plan) => (plan.kind === 'answered' ? plan : answeredRefused(plan.code, 'gateway_unavailable')))
  }
  const settled: Settled[] = []
  for (const line of await claimLines(cart, plans))
    settled.push(await settleLine(cart, line, await submitLine(cart, line)))
  return settled
}

/** Once in a request, a slot that came free is claimed anew, and an unpaid purchase that was found is paid. */
async function buyAgain(cart: Cart, settled: readonly Settled[]): Promise<CartLine[]> {
  const { deps, gateway } = cart
  const isStale = settled.some((line) => line.kind === 'price_unavailable')
  const prices = isStale ? await gateway.catalog.prices({ fresh: true }) : cart.prices
  const plans = settled.map((line) => {
    if (line.kind === 'answered') return line
    // What another buyer bought meanwhile is not what this buyer was shown.
    if (line.kind === 'incomplete' && cart.agreed) return answeredRefused(line.code, 'checkout_in_progress')
    return planLine(line.code, line.slot, deps.clock.now())
  })
  return (await buyTogether({ ...cart, prices }, plans)).map(lineOf)
}

function isOpen({ kind }: LinePlan | Settled): boolean {
  return kind !== 'answered'
}

/** The answer of a line. If it is still open, its outcome is not known: the request is safe to send again. */
function lineOf(line: LinePlan | Settled): CartLine {
  return line.kind === 'answered' ? line.line : refused(line.code, 'gateway_unavailable')
}

/** One log line for all that was bought, and one for each reason: a cart of unknown codes is not worth twenty. */
function logLines(logger: Logger, lines: readonly CartLine[]): void {
  const byReason = Map.groupBy(lines, (line) => (line.ok ? 'bought' : line.error))
  for (const [reason, { length }] of byReason) {
    if (reason === 'bought') logger.info('Lines bought', { lines: length })
    else logger.info('Lines refused', { reason, lines: length })
  }
}
