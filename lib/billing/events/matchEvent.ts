import type { OrganizationId } from '../../core/ids.ts'
import { type Product, productOf } from '../catalog.ts'
import { customerDigest, everyCustomer } from '../customer/customer.ts'
import { type GatewayEvent, organizationOf } from '../gateway/gatewayEvent.ts'
import type { GatewayName } from '../gateway/gatewayName.ts'
import type { BillingAccount, BillingRecords, CustomerBinding, OrganizationSlots } from '../slot/ports.ts'
import type { Slot } from '../slot/slot.ts'

type Records = Pick<BillingRecords, 'readSlot' | 'readSlots' | 'readAccount' | 'findOrganizations'>
type CustomerEvent = Extract<GatewayEvent, { customerId: string }>

/** The slot of an event, and the gateway of the event's subscription. `no_slot` if the customer is ours but no slot matches. */
export type MatchedSlot = { gateway: GatewayName } & (
  | { kind: 'slot'; slot: Slot }
  | { kind: 'no_slot'; organizationId: OrganizationId }
)

/**
 * Matches an event by its subscription's id, then by its customer, and only then by metadata: anybody may edit metadata in the
 * gateway's Dashboard. It only names the slot to read first, and the product of a subscription if no slot holds it.
 * Undefined if the customer belongs to no organization of ours.
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
  // If the organization changed its gateway after the slot's subscription was bought, the earlier gateway still has it.
  const isOwn = slot?.subscription?.id === event.subscriptionId
  const gateway = (isOwn ? slot.gateway : undefined) ?? account.gateway
  return slot ? { kind: 'slot', slot, gateway } : { kind: 'no_slot', organizationId: account.organizationId, gateway }
}

/**
 * The usual case: the slot that the metadata names holds the subscription, and its organization has the event's customer. Two items prove
 * it; if they do not, the caller reads every slot of the organization.
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

/** The account of the organization whose customer the event is about; undefined if the customer is not ours. */
export async function matchAccount(records: Records, event: CustomerEvent): Promise<BillingAccount | undefined> {
  const found = await matchCustomer(records, event, async (id) => ({ account: await records.readAccount(id) }))
  return found?.account
}

/** The same for an event of an invoice. Its customer may be a former customer, who keeps invoices. */
export async function matchPayer(records: Records, event: CustomerEvent): Promise<BillingAccount | undefined> {
  const read = async (id: OrganizationId) => ({ account: await records.readAccount(id) })
  return (await matchCustomer(records, event, read, everyCustomer))?.account
}

/** Reads the organization that the metadata names. If it has another customer, looks the customer up in the index, which has no former customers. */
async function matchCustomer<Read extends Pick<OrganizationSlots, 'account'>>(
  records: Records,
  event: CustomerEvent,
  read: (organizationId: OrganizationId) => Promise<Read>,
  customersOf = ({ customer }: BillingAccount): readonly CustomerBinding[] => (customer ? [customer] : []),
): Promise<Read | undefined> {
  const digest = customerDigest(event.customerId)
  const isMatch = ({ account }: Read) =>
    account !== undefined && customersOf(account).some((customer) => customer.digest === digest)
  const named = organizationOf(event)
  const first = named && (await read(named))
  if (first && isMatch(first)) return first
  const others = (await records.findOrganizations(digest)).filter((id) => id !== named)
  return (await Promise.all(others.map(read))).find(isMatch)
}
