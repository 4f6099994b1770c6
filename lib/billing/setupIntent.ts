import type { OrganizationId, UserId } from '../core/ids.ts'
import { authorizeBilling } from './authorizeBilling.ts'
import { forgetDeletedCustomer, openCustomer } from './customer.ts'
import { BillingError } from './errors.ts'
import { gatewayOf } from './gatewayOf.ts'
import type { BuyingDeps } from './ports.ts'
import { requireOk } from './requireOk.ts'

/**
 * The client secret of a new SetupIntent on the organization's customer, who is created on first need. It is neither
 * stored nor logged.
 * @throws OrganizationError for a caller who may not; BillingError `card_not_accepted`, `gateway_refused` or `gateway_unavailable`
 */
export async function createSetupIntent(
  deps: BuyingDeps,
  request: { organizationId: OrganizationId; userId: UserId },
): Promise<string> {
  const account = authorizeBilling(await deps.records.read(request.organizationId, request.userId), 'write billing')
  const { cards } = gatewayOf(deps, account)
  if (!cards) throw new BillingError('card_not_accepted')
  const customerId = requireOk(await openCustomer(deps, account, request.userId))
  const secret = await cards.createSetupIntent(customerId, account.organizationId)
  if (secret.kind === 'refused' && secret.reason === 'customer_missing')
    await forgetDeletedCustomer(deps, account, customerId)
  return requireOk(secret)
}
