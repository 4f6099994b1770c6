import { previewCheckout } from '../../lib/billing/checkout/previewCheckout.ts'
import type { PreviewLine } from '../../lib/billing/checkout/previewLine.ts'
import { toRefusedLineResource } from '../../lib/billing/checkout/refusedLineResource.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { billingDepsFromEnvironment } from '../../lib/runtime/billing.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract, type Line } from './contract.ts'

const deps = await billingDepsFromEnvironment()

/** POST /api/billing/checkout/preview: says what a cart would be charged, and changes nothing. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, query, body }) => {
  const { lines, subtotal, total, currency } = await previewCheckout(deps, {
    organizationId: query.organization_id,
    caller,
    productCodes: body.product_codes,
    couponCode: body.coupon_code,
  })
  return { status: 200, body: { lines: lines.map(toLine), subtotal, total, currency } }
})

function toLine(line: PreviewLine): Line {
  if (!line.ok) return toRefusedLineResource(line)
  const { productCode, product, amount, discount, tax, total, currency } = line
  return { ok: true, product_code: productCode, product, amount, discount, tax, total, currency }
}
