import type { Principal } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { type Product, planCodes, productSchema, products } from '../catalog.ts'
import { customerOf } from '../customer/customer.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { InvoiceRow, Page, PageRequest, Price } from '../gateway/gatewayPorts.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { READ_BUDGET } from '../timing.ts'

/** An invoice with the product that it charges; null if it charges something else. */
export interface ListedInvoice extends InvoiceRow {
  product: Product | null
}

/**
 * The organization's invoices from the gateway, newest first, without drafts; none if it has no customer there.
 * @throws OrganizationError if the caller may not read them; BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function listInvoices(
  deps: Pick<BillingDeps, 'records' | 'gateways' | 'cipher' | 'clock' | 'logger'>,
  request: { organizationId: OrganizationId; caller: Principal } & PageRequest,
): Promise<Page<ListedInvoice>> {
  const limits = { answerBy: deps.clock.now() + READ_BUDGET }
  const account = authorizeBilling(await deps.records.read(request.organizationId, request.caller, []), 'write billing')
  const { customer } = account
  if (!customer) return { rows: [] }
  const customerId = requireOk(await customerOf(deps, account.organizationId, customer))
  const { invoices, catalog } = gatewayOf(deps.gateways, account)
  const page = requireOk(await invoices.listInvoices(customerId, request, limits))
  // Metadata name the product without another call, unless a person has removed them.
  const prices = page.rows.every(hasProduct) ? new Map() : requireOk(await catalog.prices(limits))
  return { ...page, rows: page.rows.map((row) => ({ ...row, product: productOf(row, prices) })) }
}

function hasProduct({ purchase }: InvoiceRow): boolean {
  return productSchema.safeParse(purchase?.product).success
}

function productOf({ purchase, priceIds }: InvoiceRow, prices: ReadonlyMap<string, Price>): Product | null {
  const sold = products.find((product) => priceIds.includes(prices.get(planCodes[product])?.id ?? ''))
  return productSchema.safeParse(purchase?.product).data ?? sold ?? null
}
