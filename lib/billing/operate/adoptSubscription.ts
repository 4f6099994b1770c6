import { bindingOf, customerDigest } from '../customer/customer.ts'
import { fetchKnown } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isEnded, isLive } from '../gateway/subscription.ts'
import { namesSlot } from '../reconcile/listed.ts'
import { sells } from '../reconcile/terms.ts'
import type { BillingAccount, CustomerBinding } from '../slot/ports.ts'
import { isHeld, type Slot, type SlotName } from '../slot/slot.ts'
import { toSubscription } from '../slot/slotChange.ts'
import {
  askGateway,
  commitByOperator,
  failed,
  type NotDone,
  type OperateDeps,
  type Operated,
  refuseCommand,
} from './operate.ts'

/**
 * Makes a slot hold a live subscription of the organization's customer, by an operator's decision. Refuses if the slot's own
 * subscription is live or the other sells another product. The slot takes a higher purchase number too, so that it is never used again.
 * An organization without a customer gets the subscription's: a table that was restored to before its first purchase lacks it.
 * @throws CommonError `service_unavailable`, or an error of KMS
 */
export async function adoptSubscription(
  deps: OperateDeps,
  name: SlotName & { subscriptionId: string },
  { dryRun = false } = {},
): Promise<Operated> {
  const { account, slots } = await deps.records.readSlots(name.organizationId)
  const slot = slots.find(({ product }) => product === name.product)
  if (!account || !slot) return refuseCommand('there is no such organization')
  const unbound = account.customer ? undefined : await customerOfPurchase(deps, account, name)
  if (unbound && 'kind' in unbound) return unbound
  const found = await askGateway(deps, { ...account, ...(unbound && { customer: unbound }) }, name)
  if (found.kind !== 'found') return found
  const row = found.rows.find(({ id }) => id === name.subscriptionId)
  if (!row) return refuseCommand('the organization’s customer has no such subscription')
  if (!isLive(row.status)) return refuseCommand(`the subscription is ${row.status}`)
  if (!sells(row, name.product, found.price)) return refuseCommand(`the subscription does not sell ${name.product}`)
  const holder = slots.find((one) => isHeld(one) && one.subscription?.id === row.id)
  if (holder) return refuseCommand(`the slot of ${holder.product} holds it`)
  const obstacle = await whyOccupied(deps, slot, row)
  if (obstacle) return obstacle
  if (unbound && !dryRun) {
    const bound = await deps.records.bindCustomer(account, unbound)
    if (bound.digest !== unbound.digest) return refuseCommand('the organization got another customer meanwhile')
  }
  return commitByOperator(deps, 'adopt', slot, toSubscription(slot, row, deps.clock.now()), dryRun)
}

/** Why a slot cannot take another subscription; undefined if it can: it is free, or its own has ended or is unknown at the gateway. */
async function whyOccupied(deps: OperateDeps, slot: Slot, row: GatewaySubscription): Promise<Operated | undefined> {
  const { state, n, claim, subscription } = slot
  if (claim) {
    const isItsPurchase = state === 'pending' && row.purchase?.n === n && claim.leaseUntil <= deps.clock.now()
    return isItsPurchase
      ? undefined
      : refuseCommand('another purchase of the slot is not settled: let it settle, or release it')
  }
  if (!subscription || isEnded(subscription.status)) return undefined
  const own = await fetchKnown(gatewayOf(deps.gateways, slot), subscription.id)
  // The same key saw the customer, so "no such subscription" is certain.
  if (own.kind === 'missing') return undefined
  if (own.kind === 'unknown') return failed('the gateway did not answer')
  const { id, status } = own.subscription
  return isEnded(status) ? undefined : refuseCommand(`the slot’s own ${id} is ${status}`)
}

/**
 * The customer of a subscription, if the subscription's metadata name the slot and the customer is no other organization's. Only for an operator's
 * decision: anybody may edit metadata.
 */
async function customerOfPurchase(
  deps: OperateDeps,
  account: BillingAccount,
  { subscriptionId, ...name }: SlotName & { subscriptionId: string },
): Promise<CustomerBinding | NotDone> {
  const fetched = await fetchKnown(gatewayOf(deps.gateways, account), subscriptionId)
  if (fetched.kind === 'unknown') return failed('the gateway did not answer')
  if (fetched.kind === 'missing') return refuseCommand('the gateway does not know the subscription')
  if (!namesSlot(fetched.subscription, name))
    return refuseCommand('the organization has no customer, and the subscription’s metadata do not name it')
  const { customerId } = fetched.subscription
  const others = await deps.records.findOrganizations(customerDigest(customerId))
  if (others.length > 0) return refuseCommand(`its customer is that of organization ${others.join(', ')}`)
  return bindingOf(deps, name.organizationId, customerId)
}
