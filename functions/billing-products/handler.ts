import { planCodes } from '../../lib/billing/catalog.ts'
import { listProducts, type PricedProduct } from '../../lib/billing/subscriptions/listProducts.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { liveCallersFromEnvironment } from '../../lib/runtime/accounts.ts'
import { gatewaysFromEnvironment } from '../../lib/runtime/billing.ts'
import { clock } from '../../lib/runtime/clock.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = { clock, callers: liveCallersFromEnvironment(), gateways: await gatewaysFromEnvironment() }

/** GET /api/billing/products: lists what is on sale and what it costs. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  const products = await listProducts(deps, caller)
  return { status: 200, body: { products: products.map(toResource), next_cursor: null } }
})

function toResource({ product, name, description, amount, currency, interval, intervalCount }: PricedProduct) {
  const price = { amount, currency, interval, interval_count: intervalCount }
  return { product, plan_code: planCodes[product], name, description, price }
}
