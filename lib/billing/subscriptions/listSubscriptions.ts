import type { AnyCaller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { hasPermission } from '../../organizations/permissions.ts'
import type { Product } from '../catalog.ts'
import { authorizeBilling } from '../slot/authorizeBilling.ts'
import type { BillingDeps } from '../slot/ports.ts'
import type { Slot } from '../slot/slot.ts'

interface SubscriptionsRequest {
  organizationId: OrganizationId
  caller: AnyCaller
}

/**
 * The slot of a product, as `listSubscriptions` has it.
 * @throws OrganizationError if the caller is no member
 */
export async function findSubscription(
  deps: Pick<BillingDeps, 'records'>,
  { product, ...request }: SubscriptionsRequest & { product: Product },
): Promise<Slot | undefined> {
  const [slot] = await listSubscriptions(deps, request, [product])
  return slot
}

/**
 * The slots of an organization, one per product in the catalog's order, from the record: the gateway is not called. Only members who may
 * pay get the URL of an open invoice, because its page shows the billing details to anyone who has the URL.
 * @throws OrganizationError if the caller is no member
 */
export async function listSubscriptions(
  { records }: Pick<BillingDeps, 'records'>,
  request: SubscriptionsRequest,
  products?: readonly Product[],
): Promise<readonly Slot[]> {
  const billing = await records.read(request.organizationId, request.caller, products)
  authorizeBilling(billing, 'read billing')
  return hasPermission(billing.role, 'write billing') ? billing.slots : billing.slots.map(withoutInvoicePage)
}

function withoutInvoicePage(slot: Slot): Slot {
  if (!slot.subscription) return slot
  const { hostedInvoiceUrl: _page, ...subscription } = slot.subscription
  return { ...slot, subscription }
}
