import { type Product, planCodes, productSchema, products } from '../catalog.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import type { Catalog, InvoiceRow, Price, ReadLimits } from '../gateway/gatewayPorts.ts'

/** An invoice with the product that it charges; null if it charges something else. */
export interface ListedInvoice extends InvoiceRow {
  product: Product | null
}

/**
 * Finds the products of invoices. Metadata name the product without another call, unless a person has removed them: then the prices are
 * read, once.
 * @throws BillingError `gateway_refused`, `gateway_unavailable` from the function that is returned
 */
export function findProducts(
  catalog: Pick<Catalog, 'prices'>,
  limits: ReadLimits,
): (row: InvoiceRow) => Promise<ListedInvoice> {
  let prices: ReadonlyMap<string, Price> | undefined
  return async (row) => {
    const named = productSchema.safeParse(row.purchase?.product).data
    if (named) return { ...row, product: named }
    prices ??= requireOk(await catalog.prices(limits))
    return { ...row, product: soldAt(row.priceIds, prices) }
  }
}

function soldAt(priceIds: readonly string[], prices: ReadonlyMap<string, Price>): Product | null {
  return products.find((product) => priceIds.includes(prices.get(planCodes[product])?.id ?? '')) ?? null
}
