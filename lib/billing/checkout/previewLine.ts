import type { PrincipalId } from '../../core/ids.ts'
import { type Product, planCodes } from '../catalog.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Amounts, PaymentGateway, ReadLimits } from '../gateway/gatewayPorts.ts'
import { isEnded } from '../gateway/subscription.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'
import type { Redeemer } from '../slot/redeemer.ts'
import { type HeldSlot, namesAnotherCoupon, type Slot } from '../slot/slot.ts'
import { type RefusedLine, refused, refusedBy } from './cartLine.ts'
import { listAmount, priceLine } from './claimLines.ts'
import { freezePurchase } from './holdSlot.ts'
import { isBoughtAnew, type LinePlan } from './planCart.ts'
import type { CartOffer } from './readCart.ts'

/** A line that would be bought, and what it would be charged at once. */
export interface PricedLine extends Amounts {
  ok: true
  productCode: string
  product: Product
  /** What the line counts in the cart's subtotal: its list price, or the amount of its open invoice. */
  listed: number
}

export type PreviewLine = PricedLine | RefusedLine

/** One preview request: whose cart, and what was found of prices, coupon and customer. */
interface PreviewRun extends CartOffer {
  readonly gateway: PaymentGateway
  readonly deps: Pick<BillingDeps, 'records' | 'gateways'>
  readonly account: BillingAccount
  readonly userId: PrincipalId
  readonly redeemer: Redeemer
  readonly couponCode: string | undefined
  readonly customerId: string | null
  readonly limits: ReadLimits
}

/** Previews a planned cart, in its order. A coupon goes to the first line that can use it, so a cart with one is asked for line by line. */
export async function previewLines(run: PreviewRun, plans: readonly LinePlan[]): Promise<PreviewLine[]> {
  if (run.coupon.kind !== 'found') return Promise.all(plans.map((plan) => previewLine(run, plan, false)))
  let redeemed = await run.deps.records.isRedeemed(run.coupon.coupon.id, run.redeemer)
  const lines: PreviewLine[] = []
  for (const plan of plans) {
    const line = await previewLine(run, plan, redeemed)
    redeemed ||= line.ok && isBoughtAnew(plan, run.couponCode)
    lines.push(line)
  }
  return lines
}

async function previewLine(run: PreviewRun, plan: LinePlan, redeemed: boolean): Promise<PreviewLine> {
  switch (plan.kind) {
    case 'answered':
      // Without a payment no line is answered as bought.
      return plan.line.ok ? refused(plan.line.productCode, 'already_subscribed') : plan.line
    case 'take_over':
      return refused(planCodes[plan.slot.product], 'checkout_in_progress')
    case 'pay_incomplete':
      return isBoughtAnew(plan, run.couponCode)
        ? previewPurchase(run, plan.slot, redeemed)
        : previewIncomplete(run, plan.slot, redeemed)
    case 'claim':
      return previewPurchase(run, plan.slot, redeemed)
  }
}

/** An incomplete purchase is paid by its open invoice, as it was made; one that ended since is made anew. */
async function previewIncomplete(run: PreviewRun, slot: HeldSlot, redeemed: boolean): Promise<PreviewLine> {
  const code = planCodes[slot.product]
  const { purchases } = gatewayOf(run.deps.gateways, slot)
  const latest = slot.subscription && (await purchases.previewOpenPayment(slot.subscription.id, run.limits))
  if (latest?.kind !== 'ok') return refused(code, 'gateway_unavailable')
  const { status, amounts } = latest.value
  if (isEnded(status)) return previewPurchase(run, slot, redeemed)
  if (status !== 'incomplete') return refused(code, 'already_subscribed')
  if (namesAnotherCoupon(run.couponCode, slot)) return refused(code, 'coupon_invalid')
  return amounts ? pricedLine(slot, amounts, amounts.amount) : refused(code, 'gateway_refused')
}

/** @param again whether prices were asked for anew because the gateway does not sell at the known one any more */
async function previewPurchase(run: PreviewRun, slot: Slot, redeemed: boolean, again = false): Promise<PreviewLine> {
  const code = planCodes[slot.product]
  const priced = priceLine(run, slot)
  if (priced.kind === 'refused') return priced.line
  if (redeemed) return refused(code, 'coupon_already_redeemed')
  const coupon = run.coupon.kind === 'found' ? run.coupon.coupon : undefined
  const frozenRequest = freezePurchase({ ...run, paymentMethodId: undefined }, slot, priced.price, coupon)
  const { purchases, catalog } = run.gateway
  const answer = await purchases.previewSubscription(frozenRequest, run.customerId, run.limits)
  if (answer.kind === 'ok') return pricedLine(slot, answer.value, listAmount(priced.price))
  if (answer.kind === 'unknown') return refused(code, 'gateway_unavailable')
  if (answer.reason !== 'price_unavailable' || again) return refusedBy(code, answer.reason)
  const prices = await catalog.prices({ ...run.limits, fresh: true })
  return previewPurchase({ ...run, prices }, slot, redeemed, true)
}

function pricedLine({ product }: Slot, amounts: Amounts, listed: number): PricedLine {
  return { ok: true, productCode: planCodes[product], product, ...amounts, listed }
}
