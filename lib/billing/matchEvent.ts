import type { OrganizationId } from '../core/ids.ts'
import { productOf } from './catalog.ts'
import { customerDigest } from './customer.ts'
import { type GatewayEvent, organizationOf } from './gatewayEvent.ts'
import type { GatewayName } from './gatewayName.ts'
import type { BillingAccount, BillingRecords, OrganizationSlots } from './ports.ts'
import type { Slot } from './slot.ts'

type Records = Pick<BillingRecords, 'readSlots' | 'readAccount' | 'findOrganizations'>
type CustomerEvent = Extract<GatewayEvent, { customerId: string }>

/** The slot that an event is about, of a customer of ours there may be none; and the gateway that has the event's subscription. */
export type MatchedSlot = { gateway: GatewayName } & (
  | { kind: 'slot'; slot: Slot }
  | { kind: 'no slot'; organizationId: OrganizationId }
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
  const organization = await matchCustomer(records, event, (id) => records.readSlots(id))
  if (!organization?.account) return undefined
  const { account, slots } = organization
  const product = productOf(event.purchase?.plan_code ?? '')
  const slot =
    slots.find(({ subscription }) => subscription?.id === event.subscriptionId) ??
    slots.find((one) => one.product === product)
  // An event of a subscription from before the organization changed its gateway is one of that earlier gateway.
  const isOwn = slot?.subscription?.id === event.subscriptionId
  const gateway = (isOwn ? slot.gateway : undefined) ?? account.gateway
  return slot ? { kind: 'slot', slot, gateway } : { kind: 'no slot', organizationId: account.organizationId, gateway }
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
