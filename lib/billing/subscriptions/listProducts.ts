import type { AnyCaller } from '../../core/identity.ts'
import type { Callers } from '../../users/ports.ts'
import { type Product, planCodes, products } from '../catalog.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Offer } from '../gateway/gatewayPorts.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { READ_BUDGET } from '../timing.ts'

export interface PricedProduct extends Offer {
  product: Product
  /** ISO 4217 in lower case. */
  currency: string
}

/**
 * The products on sale with their prices, in the catalog's order, at most five minutes old. A plan without an active price is left out.
 * No other read proves that the caller's grant is live, so this checks it before it calls the gateway.
 * @throws CommonError `invalid_token`, `service_unavailable`; BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function listProducts(
  deps: Pick<BillingDeps, 'gateways' | 'clock'> & { readonly callers: Callers },
  caller: AnyCaller,
): Promise<PricedProduct[]> {
  await deps.callers.requireLive(caller)
  const answerBy = deps.clock.now() + READ_BUDGET
  const prices = requireOk(await gatewayOf(deps.gateways, {}).catalog.prices({ answerBy }))
  return products.flatMap((product) => {
    const price = prices.get(planCodes[product])
    return price?.offer ? [{ product, ...price.offer, currency: price.currency }] : []
  })
}
