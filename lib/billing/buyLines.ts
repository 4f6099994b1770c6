import { reasonOf } from '../core/errors.ts'
import type { LinePlan } from './cart.ts'
import { type CartLine, refused } from './cartLine.ts'
import { planCodes } from './catalog.ts'
import { type ClaimResult, claimLines, type WantedLine } from './claim.ts'
import {
  type CheckoutContext,
  type ClaimedLine,
  completePurchase,
  facts,
  type ReleasedSlot,
} from './completePurchase.ts'
import { appliesTo, type CartCoupon } from './coupon.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { Price } from './ports.ts'
import { resume } from './resume.ts'
import { leaseReleased } from './slot.ts'
import { toFree } from './slotChange.ts'
import { ATTEMPT } from './timing.ts'

/** What a cart is bought with: the request, the prices and the coupon as found, and the customer, opened at most once. */
export interface CheckoutRun {
  readonly context: CheckoutContext
  readonly prices: GatewayAnswer<ReadonlyMap<string, Price>>
  readonly coupon: CartCoupon
  customer(): Promise<GatewayAnswer<string>>
}

/**
 * Buys lines together: one claim for all of them, then each is sent and settled by itself, all at a time. A cart has at
 * most one open line for each product, so these are at most four.
 */
export async function buyLines(run: CheckoutRun, plans: readonly LinePlan[], again = false): Promise<CartLine[]> {
  const { deps, account, deadline } = run.context
  if (deps.clock.now() > deadline - ATTEMPT) return plans.map((plan) => unavailable(plan))

  // A known customer is decrypted while the claim is written; a new one is created only for a claim that stands.
  const opening = account.customer && plans.some(needsCustomer) ? run.customer() : undefined
  const claims = await claim(run, plans)
  const someHeld = [...claims.values()].some(({ kind }) => kind === 'held')
  const customer = (await opening) ?? (someHeld ? await run.customer() : undefined)

  const results = await Promise.all(plans.map((plan) => finish(run, plan, claims.get(plan), customer)))
  return Promise.all(
    results.map(async (result) => {
      if (!('released' in result)) return result
      const [line] = again ? [] : await buyLines(run, [{ kind: 'claim', slot: result.released }], true)
      return line ?? refused(planCodes[result.released.product], 'gateway_unavailable')
    }),
  )
}

async function finish(
  run: CheckoutRun,
  plan: LinePlan,
  claimResult: ClaimResult | undefined,
  customer: GatewayAnswer<string> | undefined,
): Promise<CartLine | ReleasedSlot> {
  if (plan.kind === 'answered') return plan.line
  if (plan.kind === 'resume') return resumeLine(run, plan)
  if (claimResult?.kind === 'lost') return claimResult.line
  if (!claimResult || !customer) return unavailable(plan)
  if (customer.kind === 'ok') return completePurchase(run.context, claimResult.line, customer.value)
  await unclaim(run.context, claimResult.line)
  return customer.kind === 'refused' ? refused(claimResult.line.code, 'gateway_refused') : unavailable(plan)
}

async function resumeLine(
  run: CheckoutRun,
  plan: Extract<LinePlan, { kind: 'resume' }>,
): Promise<CartLine | ReleasedSlot> {
  try {
    return await resume(run.context, planCodes[plan.slot.product], plan.slot)
  } catch (error) {
    run.context.deps.logger.error('Purchase not settled', { ...facts(plan.slot), reason: reasonOf(error) })
    return unavailable(plan)
  }
}

/** Claims what is to be claimed; a line whose claim could not be written has no entry, and nothing is sent for it. */
async function claim(run: CheckoutRun, plans: readonly LinePlan[]): Promise<Map<LinePlan, ClaimResult>> {
  const results = new Map<LinePlan, ClaimResult>()
  const wanted: { plan: LinePlan; line: WantedLine }[] = []
  for (const plan of plans) {
    const line = wantedLine(run, plan)
    if (line === undefined) continue
    if ('error' in line) results.set(plan, { kind: 'lost', line })
    else wanted.push({ plan, line })
  }
  const coupon = run.coupon.kind === 'found' ? run.coupon.coupon : undefined
  try {
    const claims = await claimLines(
      run.context,
      wanted.map(({ line }) => line),
      coupon,
    )
    claims.forEach((result, index) => {
      const plan = wanted[index]?.plan
      if (plan) results.set(plan, result)
    })
  } catch (error) {
    run.context.deps.logger.error('Claim not written', { reason: reasonOf(error) })
  }
  return results
}

function wantedLine(run: CheckoutRun, plan: LinePlan) {
  if (plan.kind === 'answered' || plan.kind === 'resume') return undefined
  const code = planCodes[plan.slot.product]
  if (plan.kind === 'take_over') return { kind: 'take_over', code, slot: plan.slot } as const
  if (run.prices.kind === 'unknown') return refused(code, 'gateway_unavailable')
  const price = run.prices.kind === 'ok' ? run.prices.value.get(code) : undefined
  if (!price) return refused(code, 'gateway_refused')
  if (run.coupon.kind === 'refused') return refused(code, run.coupon.error)
  if (run.coupon.kind === 'found' && !appliesTo(run.coupon.coupon, price)) return refused(code, 'coupon_invalid')
  return { kind: 'claim', code, slot: plan.slot, price } as const
}

/** Nothing was sent for this claim: a new purchase is given back whole, an earlier one waits for the next request. */
async function unclaim({ deps }: CheckoutContext, { slot, mode }: ClaimedLine): Promise<void> {
  const change = mode === 'send' ? toFree(slot, deps.clock.now()) : { next: leaseReleased(slot) }
  // Where the store is away as well, the lease ends by itself and the purchase is looked up later.
  await deps.records.commit([change]).catch(() => deps.logger.error('Claim not given back', facts(slot)))
}

function needsCustomer(plan: LinePlan): boolean {
  return plan.kind === 'claim' || plan.kind === 'take_over'
}

function unavailable(plan: LinePlan): CartLine {
  return plan.kind === 'answered' ? plan.line : refused(planCodes[plan.slot.product], 'gateway_unavailable')
}
