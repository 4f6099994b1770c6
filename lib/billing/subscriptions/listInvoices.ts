import type { AnyCaller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { Product } from '../catalog.ts'
import { customerOf, everyCustomer } from '../customer/customer.ts'
import { findProducts, type ListedInvoice } from '../customer/invoiceProduct.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { InvoiceFilter, Page, PageRequest } from '../gateway/gatewayPorts.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingDeps, CustomerBinding } from '../slot/ports.ts'
import { READ_BUDGET } from '../timing.ts'

/** How many pages of the gateway are read to find the invoices of a product. */
const MAX_PAGES = 3

/** The most that the gateway lists at once. */
const WHOLE_PAGE = 100

interface InvoicesRequest extends PageRequest, InvoiceFilter {
  organizationId: OrganizationId
  caller: AnyCaller
  product?: Product | undefined
}

/**
 * The organization's invoices from the gateway, newest first, without drafts; none if it never had a customer there. Those of customers that
 * the gateway deleted follow. In a position of the list, the number of such older customers comes before the invoice. The gateway has no
 * filter by product: a page with this filter may be short, or empty, although the list goes on.
 * @throws OrganizationError if the caller may not read them; BillingError `gateway_refused`, `gateway_unavailable`
 */
export async function listInvoices(
  deps: Pick<BillingDeps, 'records' | 'gateways' | 'cipher' | 'clock' | 'logger'>,
  { organizationId, caller, limit, after, product, ...filter }: InvoicesRequest,
): Promise<Page<ListedInvoice>> {
  const limits = { answerBy: deps.clock.now() + READ_BUDGET }
  const account = authorizeBilling(await deps.records.read(organizationId, caller, []), 'write billing')
  const { invoices, catalog } = gatewayOf(deps.gateways, account)
  const withProduct = findProducts(catalog, limits)
  return fillPage({ limit, after, product }, everyCustomer(account), async (customer) => {
    const customerId = requireOk(await customerOf(deps, organizationId, customer))
    return async (part) => {
      const page = requireOk(await invoices.listInvoices(customerId, { ...part, ...filter }, limits))
      const rows: ListedInvoice[] = []
      for (const row of page.rows) rows.push(await withProduct(row))
      return { ...page, rows }
    }
  })
}

type ReadPart = (part: PageRequest) => Promise<Page<ListedInvoice>>

/** Fills a page from the lists of the customers, the newest customer first. */
async function fillPage(
  { limit, after, product }: Pick<InvoicesRequest, 'limit' | 'after' | 'product'>,
  oldestFirst: readonly CustomerBinding[],
  open: (customer: CustomerBinding) => Promise<ReadPart>,
): Promise<Page<ListedInvoice>> {
  const rows: ListedInvoice[] = []
  let { older, invoice } = readPosition(after, oldestFirst.length - 1)
  let pages = 0
  for (; older >= 0; older -= 1, invoice = undefined) {
    const customer = oldestFirst[older]
    if (!customer) continue
    const read = await open(customer)
    for (;;) {
      // If the page is full, another row shows that the list goes on.
      const size = product === undefined ? Math.max(1, limit - rows.length) : WHOLE_PAGE
      const part = await read({ limit: size, after: invoice })
      for (const row of part.rows) {
        if (product !== undefined && row.product !== product) continue
        if (rows.length === limit) return { rows, next: `${older}:${invoice ?? ''}` }
        rows.push(row)
        invoice = row.id
      }
      if (part.next === undefined) break
      invoice = part.next
      pages += 1
      if (rows.length === limit || pages === MAX_PAGES) return { rows, next: `${older}:${invoice}` }
    }
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
