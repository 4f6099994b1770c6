import type { AnyCaller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { customerDigest, everyCustomer } from '../customer/customer.ts'
import { findProducts, type ListedInvoice } from '../customer/invoiceProduct.ts'
import { BillingError } from '../errors.ts'
import { requireOk } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { READ_BUDGET } from '../timing.ts'

/**
 * An invoice of the organization, as `listInvoices` lists it. The gateway is not asked if the organization never had a customer there.
 * @throws OrganizationError if the caller may not read it; BillingError `invoice_not_found` if it is another's, a draft or unknown,
 *   `gateway_refused`, `gateway_unavailable`
 */
export async function getInvoice(
  deps: Pick<BillingDeps, 'records' | 'gateways' | 'clock'>,
  { organizationId, caller, invoiceId }: { organizationId: OrganizationId; caller: AnyCaller; invoiceId: string },
): Promise<ListedInvoice> {
  const limits = { answerBy: deps.clock.now() + READ_BUDGET }
  const account = authorizeBilling(await deps.records.read(organizationId, caller, []), 'write billing')
  const own = everyCustomer(account).map(({ digest }) => digest)
  if (own.length === 0) throw new BillingError('invoice_not_found')
  const { invoices, catalog } = gatewayOf(deps.gateways, account)
  const found = requireOk(await invoices.fetchInvoice(invoiceId, limits))
  if (!found || !own.includes(customerDigest(found.customerId))) throw new BillingError('invoice_not_found')
  return findProducts(catalog, limits)(found.invoice)
}
