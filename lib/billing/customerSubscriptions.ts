import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { BillingAccount, BillingDeps, GatewayListing } from './ports.ts'
import type { ListedSubscription } from './terms.ts'

export type CustomerDeps = Pick<BillingDeps, 'gateway' | 'cipher'> & { readonly listing: GatewayListing }

/**
 * All subscriptions of the organization's customer, none for an organization that never had one. `refused` where this key does
 * not see the customer: then nothing is certain, for it may be the key of another account or mode.
 * @throws an error of KMS where the customer's id cannot be decrypted
 */
export async function listSubscriptionsOf(
  { gateway, cipher, listing }: CustomerDeps,
  { organizationId, customer }: BillingAccount,
): Promise<GatewayAnswer<ListedSubscription[]>> {
  const none: GatewayAnswer<ListedSubscription[]> = { kind: 'ok', value: [], replayed: false }
  if (!customer) return none
  const customerId = await cipher.decrypt(organizationId, customer.cipher)
  const fetched = await gateway.fetchCustomer(customerId)
  if (fetched.kind !== 'ok') return fetched
  // Deleting a customer ends all of its subscriptions.
  return fetched.value.deleted ? none : listing.listCustomerSubscriptions(customerId)
}
