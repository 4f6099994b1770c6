import { BillingError } from '../errors.ts'
import type { GatewayEvent } from '../gateway/gatewayEvent.ts'
import { fetchKnown } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { PaymentGateway } from '../gateway/gatewayPorts.ts'
import { type GatewaySubscription, isEnded } from '../gateway/subscription.ts'
import type { BillingDeps } from '../slot/ports.ts'
import { beforeFetch } from '../slot/projection.ts'
import { keptPayment } from '../slot/refundPolicy.ts'
import { removeSubscription } from '../slot/removeSubscription.ts'
import { purchaseOf, type Slot } from '../slot/slot.ts'
import { commitChange } from '../slot/slotChange.ts'
import { type Synchronized, type SynchronizePolicy, synchronizeSlot } from '../slot/synchronizeSlot.ts'
import { type MatchedSlot, matchSlot } from './matchEvent.ts'

export type ProjectionDeps = Pick<BillingDeps, 'records' | 'gateways' | 'clock' | 'logger'>
export type EventOf<Kind extends GatewayEvent['kind']> = Extract<GatewayEvent, { kind: Kind }>
type SubscriptionEvent = EventOf<'subscription'>

/**
 * Projects an event of a subscription into its slot.
 * @throws BillingError `gateway_unavailable` or CommonError `service_unavailable`: the gateway will send the event again
 */
export async function projectSubscription(deps: ProjectionDeps, event: SubscriptionEvent): Promise<void> {
  const found = await readSlotAndLatest(deps, event)
  if (found.kind === 'found') await synchronizeSlot(deps, found, eventPolicy(deps, event))
}

/** Matches the event and fetches its subscription. `done`: the event changes no slot. */
async function readSlotAndLatest(
  deps: ProjectionDeps,
  event: SubscriptionEvent,
): Promise<({ kind: 'found' } & Synchronized) | { kind: 'done'; result: undefined }> {
  const done = { kind: 'done', result: undefined } as const
  const match = await matchSlot(deps.records, event)
  if (!match) {
    ignoreEvent(deps, event.type, 'not ours')
    return done
  }
  const gateway = gatewayOf(deps.gateways, match)
  if (match.kind === 'no_slot') {
    await reportUnnamed(deps, gateway, event, match)
    return done
  }
  const { slot } = match
  const because = beforeFetch(slot, event)
  if (because !== 'fetch' && !isPaidAfterEnd(slot, event)) {
    ignoreEvent(deps, event.type, because)
    return done
  }
  const latest = await fetchLatest(gateway, event)
  if (latest === 'missing') report(deps, event, slot, 'not known to the gateway')
  else if (because !== 'fetch') await reportKeptPayment(deps, event, slot, latest)
  else return { kind: 'found', slot, latest: ofPurchaseUnderWay(slot, event, latest) }
  return done
}

/** Throws if an event cannot be recorded now: the gateway then sends it again. Logs an event that only a person can settle. */
function eventPolicy(deps: ProjectionDeps, event: SubscriptionEvent): SynchronizePolicy<void> {
  return {
    first: 'fetch',
    again: () => readSlotAndLatest(deps, event),
    async write(_, { change }) {
      const conflict = await commitChange(deps.records, change)
      const { next } = change
      if (!conflict) deps.logger.info('Subscription projected', { ...purchaseOf(next), state: next.state })
      return conflict
    },
    written: () => undefined,
    async ignored({ slot, latest }, because) {
      await reportKeptPayment(deps, event, slot, latest)
      ignoreEvent(deps, event.type, because)
    },
    async surplus({ slot, latest }) {
      const removal = await removeSubscription(deps, latest, 'surplus')
      if (removal.kind === 'unknown') throw unavailable('Orphaned subscription not removed')
      if (removal.kind === 'keep') report(deps, event, slot, `live beside the slot’s own, and ${removal.why}`)
    },
    report({ slot }, why) {
      // A subscription beside a purchase under way may settle itself.
      if (slot.state === 'pending') throw unavailable('Another purchase of the slot is under way')
      report(deps, event, slot, why)
    },
    unsettled(_, because) {
      throw unavailable(because === 'kept_changing' ? 'The slot kept changing' : 'Subscription not fetched')
    },
  }
}

/**
 * "No such subscription" is certain only if the same key sees the customer; then sending the event again would not help.
 * @throws BillingError `gateway_unavailable` if the key or the mode may be wrong
 */
async function fetchLatest(
  gateway: PaymentGateway,
  { subscriptionId, customerId }: SubscriptionEvent,
): Promise<GatewaySubscription | 'missing'> {
  const latest = await fetchKnown(gateway, subscriptionId)
  if (latest.kind === 'found') return latest.subscription
  if (latest.kind === 'unknown') throw unavailable('Subscription not fetched')
  const customer = await gateway.customers.fetchCustomer(customerId)
  if (customer.kind === 'ok') return 'missing'
  throw unavailable('Neither subscription nor customer is known to the gateway')
}

/** A person may edit the metadata between event and fetch, so the event's own metadata count for the purchase under way. */
function ofPurchaseUnderWay(slot: Slot, { purchase }: SubscriptionEvent, latest: GatewaySubscription) {
  return slot.state === 'pending' && purchase?.n === slot.n ? { ...latest, purchase } : latest
}

/** A customer can pay the open invoice of a subscription after it ended. */
function isPaidAfterEnd({ subscription }: Slot, { type, subscriptionId, created }: SubscriptionEvent): boolean {
  if (type !== 'invoice.paid' || subscription?.id !== subscriptionId) return false
  return subscription.endedAt !== null && created > subscription.endedAt
}

async function reportKeptPayment(
  { gateways, logger }: ProjectionDeps,
  event: SubscriptionEvent,
  slot: Slot,
  ended: GatewaySubscription,
): Promise<void> {
  if (event.type !== 'invoice.paid' || !isEnded(ended.status)) return
  const paid = await gatewayOf(gateways, ended).invoices.listPaidInvoices(ended.id)
  if (paid.kind !== 'ok') throw unavailable('Paid invoices not listed')
  const id = slot.subscription?.id
  const fetched = id === undefined || id === ended.id ? undefined : await fetchKnown(gatewayOf(gateways, slot), id)
  if (fetched?.kind === 'unknown') throw unavailable('Subscription not fetched')
  const own = id === ended.id ? ended : fetched?.kind === 'found' ? fetched.subscription : undefined
  if (keptPayment(ended, own, paid.value)) {
    report({ logger }, event, slot, 'ended, and keeps a payment that was not recorded')
  }
}

/** Reports a live subscription of a customer of ours that no slot holds and whose metadata name no slot. */
async function reportUnnamed(
  deps: ProjectionDeps,
  gateway: PaymentGateway,
  event: SubscriptionEvent,
  { organizationId }: Extract<MatchedSlot, { kind: 'no_slot' }>,
): Promise<void> {
  if (event.type === 'customer.subscription.deleted') return ignoreEvent(deps, event.type, 'older_subscription')
  const latest = await fetchLatest(gateway, event)
  if (latest === 'missing') return report(deps, event, { organizationId }, 'not known to the gateway')
  if (isEnded(latest.status)) return ignoreEvent(deps, event.type, 'older_subscription')
  report(deps, event, { organizationId }, 'live on a customer of ours, without our metadata')
}

/** Logs a difference that only a person can settle. Nothing is changed, and the event is acknowledged. */
function report(
  { logger }: Pick<ProjectionDeps, 'logger'>,
  { subscriptionId }: SubscriptionEvent,
  { organizationId, ...about }: Pick<Slot, 'organizationId'> & Partial<Slot>,
  why: string,
): void {
  const { product, n } = about
  logger.error('Subscription reported', { organizationId, ...(product && { product, n }), subscriptionId, why })
}

/** Acknowledges an event on purpose. A metric counts the log lines by their reason, in words. */
export function ignoreEvent({ logger }: Pick<ProjectionDeps, 'logger'>, type: string, because: string): void {
  logger.info('Event ignored', { type, because: because.replaceAll('_', ' ') })
}

function unavailable(message: string): BillingError {
  return new BillingError('gateway_unavailable', { message })
}
