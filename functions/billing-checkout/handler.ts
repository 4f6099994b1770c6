import type * as z from 'zod/mini'
import type { CartLine } from '../../lib/billing/checkout/cartLine.ts'
import { checkout } from '../../lib/billing/checkout/checkout.ts'
import { toRefusedLineResource } from '../../lib/billing/checkout/refusedLineResource.ts'
import { toPriceMembers } from '../../lib/billing/slot/priceResource.ts'
import { secondsToRfc3339 } from '../../lib/core/clock.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { ValidationError } from '../../lib/http/errors.ts'
import { buyingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract, type Line, statusOf } from './contract.ts'

const deps = await buyingDepsFromEnvironment()

/** POST /api/billing/checkout: buys a cart for an organization. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, query, body }) => {
  const lines = await checkout(deps, {
    organizationId: query.organization_id,
    caller,
    productCodes: body.product_codes,
    paymentMethodId: body.payment_method_id,
    couponCode: body.coupon_code,
    expected: toExpected(body),
  })
  return answer(lines)
})

/** Both or neither. */
function toExpected({ expected_subtotal: subtotal, currency }: z.output<typeof contract.body>) {
  if (subtotal === undefined && currency === undefined) return undefined
  if (subtotal === undefined) throw missing('expected_subtotal')
  if (currency === undefined) throw missing('currency')
  return { subtotal, currency }
}

function missing(member: string): ValidationError {
  return new ValidationError([{ loc: ['body', member], msg: 'Field required', type: 'missing' }])
}

/** 201 if at least one line was bought, otherwise the status of the first line's error. */
function answer(cart: readonly CartLine[]) {
  const lines = cart.map(toLine)
  const [first] = cart
  if (first === undefined || first.ok || cart.some(({ ok }) => ok)) return { status: 201 as const, body: lines }
  const retryable = first.error === 'checkout_in_progress' || first.error === 'gateway_unavailable'
  return { status: statusOf[first.error], body: lines, ...(retryable && { headers: { 'retry-after': '5' } }) }
}

function toLine(line: CartLine): Line {
  if (!line.ok) return toRefusedLineResource(line)
  return {
    ok: true,
    product_code: line.productCode,
    product: line.product,
    subscription: {
      product: line.product,
      plan_code: line.productCode,
      status: line.status,
      current_period_end: secondsToRfc3339(line.currentPeriodEnd),
      cancel_at: secondsToRfc3339(line.cancelAt),
      coupon_code: line.couponCode,
      ...toPriceMembers(line.sold),
    },
    client: { action: line.clientSecret === null ? 'none' : 'confirm_payment', client_secret: line.clientSecret },
  }
}
