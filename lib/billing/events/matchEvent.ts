import type { OrganizationId } from '../../core/ids.ts'
import { type Product, productOf } from '../catalog.ts'
import { customerDigest } from '../customer/customer.ts'
import { type GatewayEvent, organizationOf } from '../gateway/gatewayEvent.ts'
import type { GatewayName } from '../gateway/gatewayName.ts'
import type { BillingAccount, BillingRecords, OrganizationSlots } from '../slot/ports.ts'
import type { Slot } from '../slot/slot.ts'

type Records = Pick<BillingRecords, 'readSlot' | 'readSlots' | 'readAccount' | 'findOrganizations'>
type CustomerEvent = Extract<GatewayEvent, { customerId: string }>

/** The slot that an event is about, of a customer of ours there may be none; and the gateway that has the event's subscription. */
export type MatchedSlot = { gateway: GatewayName } & (
  | { kind: 'slot'; slot: Slot }
  | { kind: 'no_slot'; organizationId: OrganizationId }
)

/**
 * Matches an event by its subscription's id, then by its customer, and only then by metadata, which can be edited in the gateway's
 * Dashboard: metadata only says where to look first, and for which product a subscription that no slot holds was bought.
 * Undefined for a customer of no organization of ours.
 */
export async function matchSlot(
  records: Records,
  event: Extract<GatewayEvent, { kind: 'subscription' }>,
): Promise<MatchedSlot | undefined> {
  const product = productOf(event.purchase?.plan_code ?? '')
  const usual = product && (await readNamed(records, event, product))
  if (usual) return usual
  const organization = await matchCustomer(records, event, (id) => records.readSlots(id))
  if (!organization?.account) return undefined
  const { account, slots } = organization
  const slot = slots.find((one) => isInSlot(one, event)) ?? slots.find((one) => one.product === product)
  // An event of a subscription from before the organization changed its gateway is one of that earlier gateway.
  const isOwn = slot?.subscription?.id === event.subscriptionId
  const gateway = (isOwn ? slot.gateway : undefined) ?? account.gateway
  return slot ? { kind: 'slot', slot, gateway } : { kind: 'no_slot', organizationId: account.organizationId, gateway }
}

/**
 * The usual event is of a subscription that is in the slot which its metadata names, of the customer of the organization there: two items say
 * so, where others take every slot.
 */
async function readNamed(
  records: Records,
  event: Extract<GatewayEvent, { kind: 'subscription' }>,
  product: Product,
): Promise<MatchedSlot | undefined> {
  const named = organizationOf(event)
  if (!named) return undefined
  const { account, slot } = await records.readSlot(named, product)
  const isOwn = account?.customer?.digest === customerDigest(event.customerId) && isInSlot(slot, event)
  return isOwn ? { kind: 'slot', slot, gateway: slot.gateway ?? account.gateway } : undefined
}

function isInSlot({ subscription }: Slot, { subscriptionId }: { subscriptionId: string }): boolean {
  return subscription?.id === subscriptionId
}

/** The account of the organization whose customer the event is about; undefined where it is none of ours. */
export async function matchAccount(records: Records, event: CustomerEvent): Promise<BillingAccount | undefined> {
  const found = await matchCustomer(records, event, async (id) => ({ account: await records.readAccount(id) }))
  return found?.account
}

/** Reads the organization that the metadata names and, where that has another customer, the one that the index finds. */
async function matchCustomer<Read extends Pick<OrganizationSlots, 'account'>>(
  records: Records,
  event: CustomerEvent,
  read: (organizationId: OrganizationId) => Promise<Read>,
): Promise<Read | undefined> {
  const digest = customerDigest(event.customerId)
  const isMatch = ({ account }: Read) => account?.customer?.digest === digest
  const named = organizationOf(event)
  const first = named && (await read(named))
  if (first && isMatch(first)) return first
  const others = (await records.findOrganizations(digest)).filter((id) => id !== named)
  return (await Promise.all(others.map(read))).find(isMatch)
}
