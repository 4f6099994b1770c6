import { reasonOf } from '../core/errors.ts'
import { type CartLine, type LinePlan, refused } from './cartLine.ts'
import { planCodes } from './catalog.ts'
import type { CheckoutRun } from './checkoutRun.ts'
import { type ClaimResult, claimPlans, releaseClaim } from './claim.ts'
import { completePurchase, type ReleasedSlot } from './completePurchase.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import { resume } from './resume.ts'
import { purchaseOf } from './slot.ts'
import { ATTEMPT } from './timing.ts'

/**
 * Buys lines together: one claim for all of them, then each is submitted and settled by itself, all at a time. A cart has
 * at most one open line for each product, so these are at most four.
 */
export async function buyLines(run: CheckoutRun, plans: readonly LinePlan[], again = false): Promise<CartLine[]> {
  const { deps, account, deadline } = run.context
  if (deps.clock.now() > deadline - ATTEMPT) return plans.map((plan) => unavailable(plan))

  // A known customer is decrypted while the claim is written; a new one is created only for a claim that was written.
  const opening = account.customer && plans.some(needsCustomer) ? run.customer() : undefined
  const claims = await claimPlans(run, plans)
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
  claim: ClaimResult | undefined,
  customer: GatewayAnswer<string> | undefined,
): Promise<CartLine | ReleasedSlot> {
  if (plan.kind === 'answered') return plan.line
  if (plan.kind === 'resume') return resumeLine(run, plan)
  if (claim?.kind === 'lost') return claim.line
  if (!claim || !customer) return unavailable(plan)
  if (customer.kind === 'ok') return completePurchase(run.context, claim.line, customer.value)
  await releaseClaim(run.context, claim.line)
  return customer.kind === 'refused' ? refused(claim.line.code, 'gateway_refused') : unavailable(plan)
}

async function resumeLine(
  run: CheckoutRun,
  plan: Extract<LinePlan, { kind: 'resume' }>,
): Promise<CartLine | ReleasedSlot> {
  try {
    return await resume(run.context, planCodes[plan.slot.product], plan.slot)
  } catch (error) {
    run.context.deps.logger.error('Purchase not settled', { ...purchaseOf(plan.slot), reason: reasonOf(error) })
    return unavailable(plan)
  }
}

function needsCustomer(plan: LinePlan): boolean {
  return plan.kind === 'claim' || plan.kind === 'take_over'
}

function unavailable(plan: LinePlan): CartLine {
  return plan.kind === 'answered' ? plan.line : refused(planCodes[plan.slot.product], 'gateway_unavailable')
}
