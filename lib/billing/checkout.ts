import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeBilling } from './authorizeBilling.ts'
import { buyLines, type CheckoutRun } from './buyLines.ts'
import { type LinePlan, planCart } from './cart.ts'
import { type CartLine, refused } from './cartLine.ts'
import { findCoupon } from './coupon.ts'
import { customerOf } from './customer.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import { logLines } from './logLines.ts'
import type { BillingDeps } from './ports.ts'
import { BUDGET } from './timing.ts'

export interface CheckoutRequest {
  organizationId: OrganizationId
  userId: UserId
  productCodes: readonly string[]
  paymentMethodId: string | undefined
  couponCode: string | undefined
}

/**
 * Buys a cart: claim, send, settle. One answer a line, in the order requested, and every line safe to send again: the
 * claims, not the caller, keep a purchase from happening twice.
 * @throws OrganizationError for whoever may not buy here; nothing was written or sent then
 */
export async function checkout(deps: BillingDeps, request: CheckoutRequest): Promise<CartLine[]> {
  const lines = await buyCart(deps, request)
  logLines(deps.logger, lines)
  return lines
}

async function buyCart(deps: BillingDeps, request: CheckoutRequest): Promise<CartLine[]> {
  const startedAt = deps.clock.now()
  const billing = await deps.records.read(request.organizationId, request.userId).catch(() => null)
  if (billing === null) return request.productCodes.map((code) => refused(code, 'gateway_unavailable'))
  const account = authorizeBilling(billing, 'write billing')
  const plans = planCart(request.productCodes, billing.slots, startedAt)
  const lines = plans.flatMap((plan) => (plan.kind === 'answered' ? [plan.line] : []))
  if (lines.length === plans.length) return lines

  const [prices, coupon] = await Promise.all([deps.gateway.prices(), findCoupon(deps.gateway, request.couponCode)])
  const { userId, paymentMethodId, couponCode } = request
  const context = { deps, account, userId, paymentMethodId, couponCode, deadline: startedAt + BUDGET }
  return buy({ context, prices, coupon, customer: once(() => customerOf(deps, account)) }, plans)
}

/** A coupon goes to the first line that can use it, so such a cart is bought line by line; any other one together. */
async function buy(run: CheckoutRun, plans: readonly LinePlan[]): Promise<CartLine[]> {
  if (run.coupon.kind !== 'found') return buyLines(run, plans)
  const lines: CartLine[] = []
  for (const plan of plans) lines.push(...(await buyLines(run, [plan])))
  return lines
}

function once(open: () => Promise<GatewayAnswer<string>>): () => Promise<GatewayAnswer<string>> {
  let opened: Promise<GatewayAnswer<string>> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}
