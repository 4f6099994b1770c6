import type { OrganizationId } from '../../core/ids.ts'
import { BillingError } from '../errors.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { isEnded } from '../gateway/subscription.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { type CustomerDeps, listSubscriptionsOf } from './customerSubscriptions.ts'

/**
 * Deletes the customer of an organization that is erased. The gateway keeps its invoices. Succeeds if there is no customer. If a subscription
 * has not ended, the customer is kept, because deleting it would cancel what was not sold here.
 * @throws BillingError `gateway_unavailable` if the customer is kept, or if that is not known; an error of KMS
 */
export async function eraseCustomer(
  deps: CustomerDeps & Pick<BillingDeps, 'records'>,
  organizationId: OrganizationId,
): Promise<void> {
  const account = await deps.records.readAccount(organizationId)
  if (!account?.customer) return
  const subscriptions = await listSubscriptionsOf(deps, account)
  if (subscriptions.kind !== 'ok') throw new BillingError('gateway_unavailable', { message: 'customer not seen' })
  if (subscriptions.value.some(({ status }) => !isEnded(status))) {
    throw new BillingError('gateway_unavailable', { message: 'customer has a subscription' })
  }
  const customerId = await deps.cipher.decrypt(organizationId, account.customer.cipher)
  const { customers } = gatewayOf(deps.gateways, account)
  const deleted = await customers.deleteCustomer(customerId)
  // If the customer is already gone, the gateway refuses. Only the customer itself shows that it is gone.
  const fetched = deleted.kind === 'ok' ? undefined : await customers.fetchCustomer(customerId)
  const isGone = fetched === undefined || (fetched.kind === 'ok' && fetched.value.deleted)
  if (!isGone) throw new BillingError('gateway_unavailable', { message: 'customer not deleted' })
}
