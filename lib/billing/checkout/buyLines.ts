import { reasonOf } from '../../core/errors.ts'
import { planCodes } from '../catalog.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { purchaseOf } from '../slot/slot.ts'
import { ATTEMPT } from '../timing.ts'
import { type CartLine, type LinePlan, planLine, refused } from './cartLine.ts'
import { type CheckoutRun, canPay } from './checkoutRun.ts'
import { type ClaimResult, claimPlans } from './claim.ts'
import {
  type Completed,
  completePurchase,
  freeUnsent,
  type IncompleteSlot,
  type ReleasedSlot,
} from './completePurchase.ts'
import { payIncomplete } from './payIncomplete.ts'
import { releaseClaim } from './takeOver.ts'

/**
 * Buys lines together: one claim for all of them, then each is submitted and settled by itself, one after another, for the
 * gateway locks the customer. A cart has at most one open line for each product, so these are at most four.
 */
export async function buyLines(run: CheckoutRun, plans: readonly LinePlan[], again = false): Promise<CartLine[]> {
  const { deps, account, deadline } = run.context
  if (deps.clock.now() > deadline - ATTEMPT) return plans.map((plan) => unavailable(plan))

  // A known customer is decrypted while the claim is written; a new one is created only for a claim that was written.
  const opening = account.customer && plans.some(needsCustomer) ? run.customer() : undefined
  const claims = await claimPlans(run, plans)
  const someToSend = [...claims.values()].some((claim) => claim.kind === 'held' && claim.line.mode === 'send')
  const customer = (await opening) ?? (someToSend ? await run.customer() : undefined)

  const lines: CartLine[] = []
  for (const plan of plans) {
    const result = await finish(run, plan, claims.get(plan), customer)
    lines.push('ok' in result ? result : await continueWith(run, result, again))
  }
  return lines
}

/** A slot that came free is claimed anew, and an unpaid purchase that was found is paid, once in a request. */
async function continueWith(
  run: CheckoutRun,
  result: ReleasedSlot | IncompleteSlot,
  again: boolean,
): Promise<CartLine> {
  const { deps, account } = run.context
  const slot = 'released' in result ? result.released : result.incomplete
  const code = planCodes[slot.product]
  const prices =
    'stalePrices' in result ? await gatewayOf(deps.gateways, account).catalog.prices({ fresh: true }) : run.prices
  const plan = planLine(code, slot, deps.clock.now(), canPay(run.context))
  const [line] = again ? [] : await buyLines({ ...run, prices }, [plan], true)
  return line ?? refused(code, 'gateway_unavailable')
}

async function finish(
  run: CheckoutRun,
  plan: LinePlan,
  claim: ClaimResult | undefined,
  customer: GatewayAnswer<string> | undefined,
): Promise<Completed> {
  if (plan.kind === 'answered') return plan.line
  if (plan.kind === 'pay_incomplete') return payLine(run, plan)
  if (claim?.kind === 'lost') return claim.line
  if (!claim) return unavailable(plan)
  // A customer is bound before anything is sent for it: without one nothing was bought.
  if (claim.line.mode !== 'send' && !run.context.account.customer) return freeUnsent(run.context, claim.line)
  if (!customer) return unavailable(plan)
  if (customer.kind === 'ok') return completePurchase(run.context, claim.line, customer.value)
  await releaseClaim(run.context, claim.line)
  return customer.kind === 'refused' ? refused(claim.line.code, 'gateway_refused') : unavailable(plan)
}

async function payLine(
  run: CheckoutRun,
  plan: Extract<LinePlan, { kind: 'pay_incomplete' }>,
): Promise<CartLine | ReleasedSlot> {
  try {
    return await payIncomplete(run.context, planCodes[plan.slot.product], plan.slot)
  } catch (error) {
    run.context.deps.logger.error('Purchase not settled', { ...purchaseOf(plan.slot), reason: reasonOf(error) })
    return unavailable(plan)
  }
}

function needsCustomer(plan: LinePlan): boolean {
  return plan.kind === 'claim' || plan.kind === 'take_over'
}

/** The line of a plan that cannot be followed now. */
function unavailable(plan: LinePlan): CartLine {
  return plan.kind === 'answered' ? plan.line : refused(planCodes[plan.slot.product], 'gateway_unavailable')
}
