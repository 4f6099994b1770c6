import type { Principal } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { type Product, planCodes, productSchema, products } from '../catalog.ts'
import { customerOf, everyCustomer } from '../customer/customer.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { InvoiceRow, Page, PageRequest, Price } from '../gateway/gatewayPorts.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingDeps, CustomerBinding } from '../slot/ports.ts'
import { READ_BUDGET } from '../timing.ts'

/** An invoice with the product that it charges; null if it charges something else. */
export interface ListedInvoice extends InvoiceRow {
  product: Product | null
}

/**
 * The organization's invoices from the gateway, newest first, without drafts; none if it never had a customer there. Those of customers that
 * the gateway deleted follow. In a position of the list, the number of such older customers comes before the invoice.
 * @throws OrganizationError if the caller may not read them; BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function listInvoices(
  deps: Pick<BillingDeps, 'records' | 'gateways' | 'cipher' | 'clock' | 'logger'>,
  request: { organizationId: OrganizationId; caller: Principal } & PageRequest,
): Promise<Page<ListedInvoice>> {
  const limits = { answerBy: deps.clock.now() + READ_BUDGET }
  const account = authorizeBilling(await deps.records.read(request.organizationId, request.caller, []), 'write billing')
  const { invoices, catalog } = gatewayOf(deps.gateways, account)
  const page = await fillPage(request, everyCustomer(account), async (customer, part) => {
    const customerId = requireOk(await customerOf(deps, account.organizationId, customer))
    return requireOk(await invoices.listInvoices(customerId, part, limits))
  })
  // Metadata name the product without another call, unless a person has removed them.
  const prices = page.rows.every(hasProduct) ? new Map() : requireOk(await catalog.prices(limits))
  return { ...page, rows: page.rows.map((row) => ({ ...row, product: productOf(row, prices) })) }
}

/** Fills a page from the lists of the customers, the newest customer first. */
async function fillPage(
  { limit, after }: PageRequest,
  oldestFirst: readonly CustomerBinding[],
  list: (customer: CustomerBinding, part: PageRequest) => Promise<Page<InvoiceRow>>,
): Promise<Page<InvoiceRow>> {
  const rows: InvoiceRow[] = []
  let { older, invoice } = readPosition(after, oldestFirst.length - 1)
  for (; older >= 0; older -= 1, invoice = undefined) {
    const customer = oldestFirst[older]
    if (!customer) continue
    const isFull = rows.length === limit
    const part = await list(customer, { limit: isFull ? 1 : limit - rows.length, after: invoice })
    if (isFull && part.rows.length > 0) return { rows, next: `${older}:` }
    rows.push(...part.rows)
    if (part.next !== undefined) return { rows, next: `${older}:${part.next}` }
  }
  return { rows }
}

/** The position `2:in_1` is after this invoice of the customer who has two older ones; `2:` is before the customer's first invoice. */
function readPosition(position: string | undefined, newest: number): { older: number; invoice: string | undefined } {
  const [, older, invoice] = /^(\d{1,4}):(.*)$/.exec(position ?? '') ?? []
  // Positions of earlier versions are an invoice alone.
  if (older === undefined) return { older: newest, invoice: position }
  return { older: Math.min(Number(older), newest), invoice: invoice === '' ? undefined : invoice }
}

function hasProduct({ purchase }: InvoiceRow): boolean {
  return productSchema.safeParse(purchase?.product).success
}

function productOf({ purchase, priceIds }: InvoiceRow, prices: ReadonlyMap<string, Price>): Product | null {
  const sold = products.find((product) => priceIds.includes(prices.get(planCodes[product])?.id ?? ''))
  return productSchema.safeParse(purchase?.product).data ?? sold ?? null
}
