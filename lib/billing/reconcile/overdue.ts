import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import { customerDigest } from '../customer/customer.ts'
import { invoiceEvent } from '../customer/invoiceEvent.ts'
import { findProducts } from '../customer/invoiceProduct.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { OverdueInvoice } from '../gateway/gatewayPorts.ts'
import { READ_BUDGET } from '../timing.ts'
import { listed } from './listed.ts'
import type { OverdueSum, OverdueTotal } from './pass.ts'
import type { ComparedRows, PassContext } from './passContext.ts'

/** How many sums a pass keeps: its item stays below 200 KB. Further organizations are one sum for each currency. */
const SUMS = 1000

/**
 * Adds a page of overdue invoices to the sums of the pass, and announces each to other systems, once. An invoice that is no organization's does
 * not count.
 */
export async function sumOverdue(context: PassContext): Promise<ComparedRows> {
  const { listing, pass, clock } = context
  const limits = { answerBy: clock.now() + READ_BUDGET }
  const withProduct = findProducts(gatewayOf(context.gateways, { gateway: listing.gateway }).catalog, limits)
  const { rows, next } = listed(await listing.listOverdue(Math.floor(pass.startedAt / 1000), pass.cursor))
  const owners = new Map<string, OrganizationId | undefined>()
  let overdue = pass.overdue ?? []
  for (const invoice of rows) {
    const { customerId } = invoice
    if (!owners.has(customerId)) owners.set(customerId, await ownerOf(context, invoice))
    const owner = owners.get(customerId)
    if (owner === undefined) continue
    overdue = withInvoice(overdue, owner, invoice)
    if (context.dryRun) continue
    const announced = { invoice: await withProduct(invoice.invoice), fact: invoice.id, at: clock.now() }
    await context.records.announce(invoiceEvent('invoice.overdue', owner, announced))
  }
  return { rows: rows.length, overdue, ...(next !== undefined && { next }) }
}

/** The organization that has the customer. If it has been replaced, the organization that the metadata name. */
async function ownerOf({ records }: PassContext, { customerId, invoice }: OverdueInvoice) {
  const [organizationId] = await records.findOrganizations(customerDigest(customerId))
  return organizationId ?? organizationIdSchema.safeParse(invoice.purchase?.organization_id).data
}

function withInvoice(
  sums: readonly OverdueSum[],
  owner: OrganizationId,
  { amount, currency, dueAt }: OverdueInvoice,
): OverdueSum[] {
  const own = sums.find((sum) => sum.organizationId === owner && sum.currency === currency)
  const organizationId = own || sums.length < SUMS ? owner : null
  const isIn = (sum: OverdueSum) => sum.organizationId === organizationId && sum.currency === currency
  const { amount: before, invoices, since } = sums.find(isIn) ?? { amount: 0, invoices: 0, since: dueAt }
  const sum = {
    organizationId,
    currency,
    amount: before + amount,
    invoices: invoices + 1,
    since: Math.min(since, dueAt),
  }
  return [...sums.filter((other) => !isIn(other)), sum]
}

/** The sums of all organizations together, one for each currency. */
export function totalsOf(sums: readonly OverdueSum[]): OverdueTotal[] {
  const totals = new Map<string, OverdueTotal>()
  for (const { currency, amount, invoices, since } of sums) {
    const total = totals.get(currency) ?? { currency, amount: 0, invoices: 0, since }
    totals.set(currency, {
      currency,
      amount: total.amount + amount,
      invoices: total.invoices + invoices,
      since: Math.min(total.since, since),
    })
  }
  return [...totals.values()]
}
