import type { GatewayAnswer } from '../gateway/gatewayAnswer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { GatewayListing } from '../gateway/gatewayPorts.ts'
import type { ListedSubscription } from '../gateway/subscription.ts'
import type { BillingAccount, BillingDeps } from '../slot/ports.ts'

export type CustomerDeps = Pick<BillingDeps, 'gateways' | 'cipher'> & { readonly listing: GatewayListing }

/**
 * All subscriptions of the organization's customer; none if the organization never had a customer. `refused` if this API key does not see
 * the customer: then nothing is certain, because the key may be of another account or mode.
 * @throws an error of KMS if it cannot decrypt the customer's id
 */
export async function listSubscriptionsOf(
  deps: CustomerDeps,
  account: BillingAccount,
): Promise<GatewayAnswer<ListedSubscription[]>> {
  const { organizationId, customer } = account
  const none: GatewayAnswer<ListedSubscription[]> = { kind: 'ok', value: [], replayed: false }
  if (!customer) return none
  const customerId = await deps.cipher.decrypt(organizationId, customer.cipher)
  const fetched = await gatewayOf(deps.gateways, account).customers.fetchCustomer(customerId)
  if (fetched.kind !== 'ok') return fetched
  // Deleting a customer ends all of its subscriptions.
  return fetched.value.deleted ? none : deps.listing.listCustomerSubscriptions(customerId)
}
