import type { CartLine } from '../../lib/billing/cartLine.ts'
import { checkout } from '../../lib/billing/checkout.ts'
import { type Answer, protectedEndpoint } from '../../lib/http/endpoint.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract, statusOf } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** POST /api/billing/checkout: buys a cart for an organization. */
export const handler = protectedEndpoint(contract, httpDeps('billing-checkout'), async ({ identity, query, body }) => {
  const lines = await checkout(deps, {
    organizationId: query.organization_id,
    userId: identity.userId,
    productCodes: body.product_codes,
    paymentMethodId: body.payment_method_id,
    couponCode: body.coupon_code,
  })
  return answer(lines)
})

/** 201 as soon as one line was bought; otherwise what the first line's reason says. */
function answer(lines: readonly CartLine[]): Answer {
  const [first] = lines
  if (first === undefined || first.ok || lines.some(({ ok }) => ok)) return { status: 201, body: lines }
  const retryable = first.error === 'checkout_in_progress' || first.error === 'gateway_unavailable'
  return { status: statusOf[first.error], body: lines, ...(retryable && { headers: { 'retry-after': '5' } }) }
}
