import { CommonError } from '../../core/errors.ts'
import { type Principal, principalIdOf } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import { openCustomer } from '../customer/customer.ts'
import { neededDetails } from '../customer/neededDetails.ts'
import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BuyingDeps } from '../slot/ports.ts'
import { BUDGET } from '../timing.ts'
import { buyLines } from './buyLines.ts'
import { type CartLine, type LinePlan, planCart, productsOf, refused } from './cartLine.ts'
import { type CheckoutRun, canPay } from './checkoutRun.ts'
import { findCoupon } from './coupon.ts'

export interface CheckoutRequest {
  organizationId: OrganizationId
  caller: Principal
  productCodes: readonly string[]
  paymentMethodId: string | undefined
  couponCode: string | undefined
}

/**
 * Buys a cart: claim, send, settle. Returns one line for each product code, in the order requested. Every line is safe to
 * send again: the claims, not the caller, keep a purchase from happening twice.
 * @throws CommonError `invalid_token`, OrganizationError for a caller who may not buy here; nothing was written or sent then
 */
export async function checkout(deps: BuyingDeps, request: CheckoutRequest): Promise<CartLine[]> {
  const lines = await buyCart(deps, request)
  logLines(deps.logger, lines)
  return lines
}

async function buyCart(deps: BuyingDeps, request: CheckoutRequest): Promise<CartLine[]> {
  const startedAt = deps.clock.now()
  const billing = await deps.records
    .read(request.organizationId, request.caller, productsOf(request.productCodes))
    .catch(nullUnlessRefused)
  if (billing === null) return request.productCodes.map((code) => refused(code, 'gateway_unavailable'))
  const account = authorizeBilling(billing, 'write billing')
  if (account.isBeingDeleted) return request.productCodes.map((code) => refused(code, 'organization_deleting'))
  const plans = planCart(request.productCodes, billing.slots, startedAt, canPay({ ...request, deps, account }))
  const lines = plans.flatMap((plan) => (plan.kind === 'answered' ? [plan.line] : []))
  if (lines.length === plans.length) return lines

  const gateway = gatewayOf(deps.gateways, account)
  const { catalog } = gateway
  const customer = once(() => openCustomer(deps, account, principalIdOf(request.caller)))
  const deadline = startedAt + BUDGET
  const [prices, coupon, details] = await Promise.all([
    catalog.prices(),
    findCoupon(catalog, request.couponCode),
    neededDetails(gateway, account.customer && customer, { answerBy: deadline }),
  ])
  const { caller, paymentMethodId, couponCode } = request
  const context = { deps, account, userId: principalIdOf(caller), paymentMethodId, couponCode, deadline }
  return buy({ context, prices, coupon, details, customer }, plans)
}

/** What keeps the record from being read is answered for each line; that the caller may not read it is not. */
function nullUnlessRefused(error: unknown): null {
  if (error instanceof CommonError && error.code === 'invalid_token') throw error
  return null
}

/** A coupon goes to the first line that can use it, so a cart with one is bought line by line; any other one together. */
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

/** One log line for all that was bought, and one for each reason: a cart of unknown codes is not worth twenty. */
function logLines(logger: Logger, lines: readonly CartLine[]): void {
  const byReason = Map.groupBy(lines, (line) => (line.ok ? 'bought' : line.error))
  for (const [reason, { length }] of byReason) {
    if (reason === 'bought') logger.info('Lines bought', { lines: length })
    else logger.info('Lines refused', { reason, lines: length })
  }
}
