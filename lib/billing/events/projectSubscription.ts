import { BillingError } from '../errors.ts'
import type { GatewayEvent } from '../gateway/gatewayEvent.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isEnded } from '../gateway/subscription.ts'
import { commitChange } from '../slot/commitChange.ts'
import type { BillingDeps, SlotChange } from '../slot/ports.ts'
import { beforeFetch, project } from '../slot/projection.ts'
import { keptPayment } from '../slot/refundPolicy.ts'
import { removeSubscription } from '../slot/removeSubscription.ts'
import { purchaseOf, type Slot } from '../slot/slot.ts'
import { type MatchedSlot, matchSlot } from './matchEvent.ts'

/** What a projection reads, asks and writes. */
export type ProjectionDeps = Pick<BillingDeps, 'records' | 'gateways' | 'clock' | 'logger'>
export type EventOf<Kind extends GatewayEvent['kind']> = Extract<GatewayEvent, { kind: Kind }>
type SubscriptionEvent = EventOf<'subscription'>
type Served = Parameters<typeof gatewayOf>[1]

/** How often a projection is computed again: after a conflict, and after the end of the slot's own subscription was written. */
const ATTEMPTS = 3

/**
 * Projects an event of a subscription into the slot that it is about.
 * @throws BillingError `gateway_unavailable` or CommonError `service_unavailable`: the gateway will send the event again
 */
export async function projectSubscription(deps: ProjectionDeps, event: SubscriptionEvent): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const match = await matchSlot(deps.records, event)
    if (!match) return ignore(deps, event.type, 'not ours')
    if (match.kind === 'no slot') return reportUnnamed(deps, event, match)
    const because = beforeFetch(match.slot, event)
    if (because !== 'fetch' && !isPaidAfterEnd(match.slot, event)) return ignore(deps, event.type, because)
    const latest = await fetchLatest(deps, match, event)
    if (latest === 'missing') return report(deps, event, match.slot, 'not known to the gateway')
    if (because !== 'fetch') return reportKeptPayment(deps, event, match.slot, latest)
    if (await projectLatest(deps, match.slot, event, ofPurchaseUnderWay(match.slot, event, latest))) return
  }
  throw unavailable('The slot kept changing')
}

/**
 * "No such subscription" is certain only where the same key sees its customer: no repeat of the event will mend that.
 * @throws BillingError `gateway_unavailable` where the key or the mode may be wrong
 */
async function fetchLatest(
  deps: ProjectionDeps,
  served: Served,
  event: SubscriptionEvent,
): Promise<GatewaySubscription | 'missing'> {
  const latest = await fetch(deps, served, event.subscriptionId)
  if (latest !== 'missing') return latest
  const customer = await gatewayOf(deps.gateways, served).customers.fetchCustomer(event.customerId)
  if (customer.kind === 'ok') return 'missing'
  throw unavailable('Neither subscription nor customer is known to the gateway')
}

async function fetch(
  deps: ProjectionDeps,
  served: Served,
  subscriptionId: string,
): Promise<GatewaySubscription | 'missing'> {
  const fetched = await gatewayOf(deps.gateways, served).purchases.fetchSubscription(subscriptionId)
  if (fetched.kind === 'ok') return fetched.value
  if (fetched.kind === 'refused' && fetched.reason === 'not_found') return 'missing'
  throw unavailable('Subscription not fetched')
}

/**
 * @param own the slot's own subscription, fetched where that decides
 * @returns false where the slot must be read again: on a conflict, or after its own subscription's end was written
 */
async function projectLatest(
  deps: ProjectionDeps,
  slot: Slot,
  event: SubscriptionEvent,
  latest: GatewaySubscription,
  own?: GatewaySubscription | 'missing',
): Promise<boolean> {
  const projection = project(slot, latest, deps.clock.now(), own)
  switch (projection.kind) {
    case 'ignore':
      await reportKeptPayment(deps, event, slot, latest)
      ignore(deps, event.type, projection.because)
      return true
    case 'fetch own':
      // The event's subscription was fetched with the same key: missing is certain.
      return projectLatest(deps, slot, event, latest, await fetch(deps, slot, projection.subscriptionId))
    case 'surplus':
      await remove(deps, event, slot, latest)
      return true
    case 'report':
      // What is beside a purchase under way may settle itself.
      if (slot.state === 'pending') throw unavailable('Another purchase of the slot is under way')
      report(deps, event, slot, projection.why)
      return true
    case 'write':
      return (await commit(deps, projection.change)) && projection.written === latest
  }
}

/** Metadata may be edited between event and fetch; what the event says of the purchase under way was so when it was made. */
function ofPurchaseUnderWay(slot: Slot, { purchase }: SubscriptionEvent, latest: GatewaySubscription) {
  return slot.state === 'pending' && purchase?.n === slot.n ? { ...latest, purchase } : latest
}

async function remove(deps: ProjectionDeps, event: SubscriptionEvent, slot: Slot, surplus: GatewaySubscription) {
  const removal = await removeSubscription(deps, surplus, 'surplus')
  if (removal.kind === 'unknown') throw unavailable('Orphaned subscription not removed')
  if (removal.kind === 'keep') report(deps, event, slot, `live beside the slot’s own, and ${removal.why}`)
}

/** The open invoice of a subscription can be paid after its end. */
function isPaidAfterEnd({ subscription }: Slot, { type, subscriptionId, created }: SubscriptionEvent): boolean {
  if (type !== 'invoice.paid' || subscription?.id !== subscriptionId) return false
  return subscription.endedAt !== null && created > subscription.endedAt
}

async function reportKeptPayment(
  deps: ProjectionDeps,
  event: SubscriptionEvent,
  slot: Slot,
  ended: GatewaySubscription,
): Promise<void> {
  if (event.type !== 'invoice.paid' || !isEnded(ended.status)) return
  const paid = await gatewayOf(deps.gateways, ended).invoices.listPaidInvoices(ended.id)
  if (paid.kind !== 'ok') throw unavailable('Paid invoices not listed')
  const id = slot.subscription?.id
  const own = id === ended.id ? ended : id && (await fetch(deps, slot, id))
  if (keptPayment(ended, typeof own === 'object' ? own : undefined, paid.value)) {
    report(deps, event, slot, 'ended, and keeps a payment that was not recorded')
  }
}

async function commit(deps: ProjectionDeps, change: SlotChange): Promise<boolean> {
  const committed = (await commitChange(deps.records, change)) === null
  if (committed) deps.logger.info('Subscription projected', { ...purchaseOf(change.next), state: change.next.state })
  return committed
}

/** A live subscription of a customer of ours that says of no slot that it is its own. */
async function reportUnnamed(
  deps: ProjectionDeps,
  event: SubscriptionEvent,
  match: Extract<MatchedSlot, { kind: 'no slot' }>,
): Promise<void> {
  if (event.type === 'customer.subscription.deleted') return ignore(deps, event.type, 'older subscription')
  const latest = await fetchLatest(deps, match, event)
  const { organizationId } = match
  if (latest === 'missing') return report(deps, event, { organizationId }, 'not known to the gateway')
  if (isEnded(latest.status)) return ignore(deps, event.type, 'older subscription')
  report(deps, event, { organizationId }, 'live on a customer of ours, without our metadata')
}

/** A difference that only a person can settle: nothing is touched, and the event is acknowledged. */
function report(
  deps: ProjectionDeps,
  { subscriptionId }: SubscriptionEvent,
  about: Slot | Pick<Slot, 'organizationId'>,
  why: string,
): void {
  const fields = 'product' in about ? purchaseOf(about) : about
  deps.logger.error('Subscription reported', { ...fields, subscriptionId, why })
}

/** Acknowledged on purpose, and counted by its log line. */
export function ignore(deps: ProjectionDeps, type: string, because: string): void {
  deps.logger.info('Event ignored', { type, because })
}

function unavailable(message: string): BillingError {
  return new BillingError('gateway_unavailable', { message })
}
