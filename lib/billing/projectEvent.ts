import { productOf } from './catalog.ts'
import { customerDigest } from './customer.ts'
import { BillingError } from './errors.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import { type GatewayEvent, organizationOf } from './gatewayEvent.ts'
import { removeOrphan } from './orphan.ts'
import type { BillingAccount, BillingDeps, SlotChange } from './ports.ts'
import { beforeFetch, project } from './projection.ts'
import { purchaseOf, type Slot } from './slot.ts'
import type { GatewaySubscription } from './subscription.ts'

/** What a projection reads, asks and writes. */
export type ProjectionDeps = Pick<BillingDeps, 'records' | 'gateway' | 'clock' | 'logger'>
type EventOf<Kind extends GatewayEvent['kind']> = Extract<GatewayEvent, { kind: Kind }>

/** How often a projection is computed again after a conflict. */
const ATTEMPTS = 3

/**
 * Projects a verified event: fetch the latest state, compare and set. Returning means that everything is committed.
 * @throws BillingError `gateway_unavailable` or CommonError `service_unavailable`: the gateway will send the event again
 */
export async function projectEvent(deps: ProjectionDeps, event: GatewayEvent): Promise<void> {
  switch (event.kind) {
    case 'subscription':
      return projectSubscription(deps, event)
    case 'card_set_up':
      return projectCard(deps, event)
    case 'customer_deleted':
      return projectDeletedCustomer(deps, event)
    case 'card_removed':
      // The gateway itself takes the card off the customer and its subscriptions; no card is known here.
      return ignore(deps, 'payment_method.detached', 'no card is kept')
    case 'other':
      return ignore(deps, event.type, 'not projected')
  }
}

async function projectSubscription(deps: ProjectionDeps, event: EventOf<'subscription'>): Promise<void> {
  const organizationId = organizationOf(event)
  const product = productOf(event.purchase?.plan_code ?? '')
  if (!organizationId || !product) return ignore(deps, event.type, 'not ours')

  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { account, slot } = await deps.records.readSlot(organizationId, product)
    if (!isCustomerOf(account, event.customerId)) return ignore(deps, event.type, 'not ours')
    const because = beforeFetch(slot, event)
    if (because !== 'fetch') return ignore(deps, event.type, because)
    if (await projectLatest(deps, slot, event)) return
  }
  throw new BillingError('gateway_unavailable', { message: 'The slot kept changing' })
}

/** @returns false where the slot must be read again: on a conflict, or after its own subscription's end was written */
async function projectLatest(deps: ProjectionDeps, slot: Slot, event: EventOf<'subscription'>): Promise<boolean> {
  const latest = await deps.gateway.fetchSubscription(event.subscriptionId)
  if (latest.kind !== 'ok') throw new BillingError('gateway_unavailable', { message: 'Subscription not fetched' })
  return projectFetched(deps, slot, event, latest.value)
}

/** @param own the slot's own subscription, fetched where that decides */
async function projectFetched(
  deps: ProjectionDeps,
  slot: Slot,
  event: EventOf<'subscription'>,
  latest: GatewaySubscription,
  own?: GatewaySubscription | 'missing',
): Promise<boolean> {
  const projection = project(slot, latest, deps.clock.now(), own)
  switch (projection.kind) {
    case 'ignore':
      ignore(deps, event.type, projection.because)
      return true
    case 'fetch own':
      return projectFetched(deps, slot, event, latest, await fetchOwn(deps, projection.subscriptionId))
    case 'surplus':
      if (await removeOrphan(deps, latest)) return true
      throw new BillingError('gateway_unavailable', { message: 'Orphaned subscription not removed' })
    case 'report':
      report(deps, slot, latest, projection.why)
      return true
    case 'write':
      return (await commit(deps, projection.change)) && projection.change.next.subscription?.id === latest.id
  }
}

/** The event's subscription was fetched with the same key: `missing` is certain. */
async function fetchOwn(deps: ProjectionDeps, subscriptionId: string): Promise<GatewaySubscription | 'missing'> {
  const own = await deps.gateway.fetchSubscription(subscriptionId)
  if (own.kind === 'ok') return own.value
  if (own.kind === 'refused' && own.reason === 'not_found') return 'missing'
  throw new BillingError('gateway_unavailable', { message: 'The slot’s own subscription was not fetched' })
}

/**
 * A difference that only a person can settle. Beside a purchase under way it may settle itself: the event is sent again.
 * @throws BillingError `gateway_unavailable` then
 */
function report(deps: ProjectionDeps, slot: Slot, { id }: GatewaySubscription, why: string): void {
  if (slot.state === 'pending') {
    throw new BillingError('gateway_unavailable', { message: 'Another purchase of the slot is under way' })
  }
  deps.logger.error('Subscription reported', { ...purchaseOf(slot), subscriptionId: id, why })
}

async function commit(deps: ProjectionDeps, change: SlotChange): Promise<boolean> {
  const { organizationId, product, n, state } = change.next
  const committed = (await deps.records.commit([change])) === null
  if (committed) deps.logger.info('Subscription projected', { organizationId, product, n, state })
  return committed
}

/** The first card set up becomes the default, with which purchases and renewals are paid where no other card is named. */
async function projectCard(deps: ProjectionDeps, event: EventOf<'card_set_up'>): Promise<void> {
  if (!isCustomerOf(await accountOf(deps, event), event.customerId)) {
    return ignore(deps, 'setup_intent.succeeded', 'not ours')
  }
  requireDone(await deps.gateway.setFirstDefaultCard(event.customerId, event.paymentMethodId))
}

/** The customer is forgotten once none of its subscriptions holds a slot; until then the event is sent again. */
async function projectDeletedCustomer(deps: ProjectionDeps, event: EventOf<'customer_deleted'>): Promise<void> {
  const account = await accountOf(deps, event)
  if (!account || !isCustomerOf(account, event.customerId)) return ignore(deps, 'customer.deleted', 'not ours')
  const forgotten = await deps.records.unbindCustomer(account.organizationId, customerDigest(event.customerId))
  if (!forgotten) throw new BillingError('gateway_unavailable', { message: 'A slot is still held' })
}

async function accountOf(deps: ProjectionDeps, event: GatewayEvent): Promise<BillingAccount | undefined> {
  const id = organizationOf(event)
  return id && deps.records.readAccount(id)
}

function isCustomerOf(account: BillingAccount | undefined, customerId: string): boolean {
  return account?.customer?.digest === customerDigest(customerId)
}

/** A card or customer that is gone by now needs nothing more; any other refusal is tried again. */
function requireDone(answer: GatewayAnswer<null>): void {
  if (answer.kind === 'ok') return
  if (answer.kind === 'refused' && (answer.reason === 'not_found' || answer.reason === 'customer_missing')) return
  throw new BillingError('gateway_unavailable')
}

/** Acknowledged on purpose, and counted by its log line. */
function ignore(deps: ProjectionDeps, type: string, because: string): void {
  deps.logger.info('Event ignored', { type, because })
}
