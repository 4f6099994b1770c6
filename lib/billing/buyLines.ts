import { reasonOf } from '../core/errors.ts'
import type { Step } from './cart.ts'
import { type CartLine, refused } from './cartLine.ts'
import { planCodes } from './catalog.ts'
import { type ClaimResult, claimLines, type WantedLine } from './claim.ts'
import { type CheckoutContext, type ClaimedLine, completePurchase, type Freed, facts } from './completePurchase.ts'
import { appliesTo, type CartCoupon } from './coupon.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { Price } from './ports.ts'
import { resume } from './resume.ts'
import { givenUp } from './slot.ts'
import { toFree } from './slotChange.ts'
import { ATTEMPT } from './timing.ts'

/** What a cart is bought with: the request, the prices and the coupon as found, and the customer, opened at most once. */
export interface Shop {
  readonly context: CheckoutContext
  readonly prices: GatewayAnswer<ReadonlyMap<string, Price>>
  readonly coupon: CartCoupon
  customer(): Promise<GatewayAnswer<string>>
}

/**
 * Buys lines together: one claim for all of them, then each is sent and settled by itself, all at a time. A cart has at
 * most one open line for each product, so these are at most four.
 */
export async function buyLines(shop: Shop, steps: readonly Step[], again = false): Promise<CartLine[]> {
  const { deps, account, deadline } = shop.context
  if (deps.clock.now() > deadline - ATTEMPT) return steps.map((step) => unavailable(step))

  // A known customer is decrypted while the claim is written; a new one is created only for a claim that stands.
  const opening = account.customer && steps.some(needsCustomer) ? shop.customer() : undefined
  const claims = await claim(shop, steps)
  const someHeld = [...claims.values()].some(({ kind }) => kind === 'held')
  const customer = (await opening) ?? (someHeld ? await shop.customer() : undefined)

  const results = await Promise.all(steps.map((step) => finish(shop, step, claims.get(step), customer)))
  return Promise.all(
    results.map(async (result) => {
      if (!('freed' in result)) return result
      const [line] = again ? [] : await buyLines(shop, [{ kind: 'claim', slot: result.freed }], true)
      return line ?? refused(planCodes[result.freed.product], 'gateway_unavailable')
    }),
  )
}

async function finish(
  shop: Shop,
  step: Step,
  claimResult: ClaimResult | undefined,
  customer: GatewayAnswer<string> | undefined,
): Promise<CartLine | Freed> {
  if (step.kind === 'answered') return step.line
  if (step.kind === 'resume') return resumeLine(shop, step)
  if (claimResult?.kind === 'lost') return claimResult.line
  if (!claimResult || !customer) return unavailable(step)
  if (customer.kind === 'ok') return completePurchase(shop.context, claimResult.line, customer.value)
  await unclaim(shop.context, claimResult.line)
  return customer.kind === 'refused' ? refused(claimResult.line.code, 'gateway_refused') : unavailable(step)
}

async function resumeLine(shop: Shop, step: Extract<Step, { kind: 'resume' }>): Promise<CartLine | Freed> {
  try {
    return await resume(shop.context, planCodes[step.slot.product], step.slot)
  } catch (error) {
    shop.context.deps.logger.error('Purchase not settled', { ...facts(step.slot), reason: reasonOf(error) })
    return unavailable(step)
  }
}

/** Claims what is to be claimed; a line whose claim could not be written has no entry, and nothing is sent for it. */
async function claim(shop: Shop, steps: readonly Step[]): Promise<Map<Step, ClaimResult>> {
  const results = new Map<Step, ClaimResult>()
  const wanted: { step: Step; line: WantedLine }[] = []
  for (const step of steps) {
    const line = wantedLine(shop, step)
    if (line === undefined) continue
    if ('error' in line) results.set(step, { kind: 'lost', line })
    else wanted.push({ step, line })
  }
  const coupon = shop.coupon.kind === 'found' ? shop.coupon.coupon : undefined
  try {
    const claims = await claimLines(
      shop.context,
      wanted.map(({ line }) => line),
      coupon,
    )
    claims.forEach((result, index) => {
      const step = wanted[index]?.step
      if (step) results.set(step, result)
    })
  } catch (error) {
    shop.context.deps.logger.error('Claim not written', { reason: reasonOf(error) })
  }
  return results
}

function wantedLine(shop: Shop, step: Step) {
  if (step.kind === 'answered' || step.kind === 'resume') return undefined
  const code = planCodes[step.slot.product]
  if (step.kind === 'take_over') return { kind: 'take_over', code, slot: step.slot } as const
  if (shop.prices.kind === 'unknown') return refused(code, 'gateway_unavailable')
  const price = shop.prices.kind === 'ok' ? shop.prices.value.get(code) : undefined
  if (!price) return refused(code, 'gateway_refused')
  if (shop.coupon.kind === 'refused') return refused(code, shop.coupon.error)
  if (shop.coupon.kind === 'found' && !appliesTo(shop.coupon.coupon, price)) return refused(code, 'coupon_invalid')
  return { kind: 'claim', code, slot: step.slot, price } as const
}

/** Nothing was sent for this claim: a new purchase is given back whole, an earlier one waits for the next request. */
async function unclaim({ deps }: CheckoutContext, { slot, mode }: ClaimedLine): Promise<void> {
  const change = mode === 'send' ? toFree(slot, deps.clock.now()) : { next: givenUp(slot) }
  // Where the store is away as well, the lease ends by itself and the purchase is looked up later.
  await deps.records.commit([change]).catch(() => deps.logger.error('Claim not given back', facts(slot)))
}

function needsCustomer(step: Step): boolean {
  return step.kind === 'claim' || step.kind === 'take_over'
}

function unavailable(step: Step): CartLine {
  return step.kind === 'answered' ? step.line : refused(planCodes[step.slot.product], 'gateway_unavailable')
}
