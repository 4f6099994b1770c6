import { reasonOf } from '../core/errors.ts'
import { organizationIdSchema } from '../core/ids.ts'
import type { Logger } from '../log/logger.ts'
import { productOf } from './catalog.ts'
import { type Drift, mayDiffer } from './drift.ts'
import { BillingError } from './errors.ts'
import type { GatewayAnswer } from './gatewayAnswer.ts'
import type { GatewayEvent } from './gatewayEvent.ts'
import type { GatewayListing, SlotListing } from './ports.ts'
import { projectEvent } from './projectEvent.ts'
import { type RepairDeps, repair, type SlotName } from './repair.ts'
import { productCode, type Slot } from './slot.ts'
import type { GatewaySubscription } from './subscription.ts'
import { EVENT_DAYS } from './timing.ts'

export interface ReconcileDeps extends Omit<RepairDeps, 'dryRun'> {
  readonly slots: SlotListing
  readonly listing: GatewayListing
}

/** What was compared, and every difference. */
export interface Reconciliation {
  undeliveredEvents: number
  subscriptions: number
  heldSlots: number
  drift: Drift[]
}

type Context = ReconcileDeps & RepairDeps

/**
 * Compares the record with everything at the gateway, and repairs what a rule covers: webhooks that were not delivered are
 * handled, subscriptions adopted or projected, slots whose subscription ended freed, orphans canceled and refunded. The
 * rest is reported. Each repair is decided on a slot read after the list and on a subscription fetched after that.
 * @throws CommonError `service_unavailable`, BillingError `gateway_unavailable` where one side cannot be listed
 */
export async function reconcile(deps: ReconcileDeps, { dryRun }: { dryRun: boolean }): Promise<Reconciliation> {
  const context = { ...deps, dryRun }
  const since = Math.floor(deps.clock.now() / 1000) - EVENT_DAYS * 86_400
  const events = listed(await deps.listing.listUndeliveredEvents(since))
  const delivered: Drift[] = []
  for (const event of events) delivered.push(...(await deliver(context, event)))

  // The slots are read after the list, so that every listed purchase is claimed in them.
  const subscriptions = listed(await deps.listing.listSubscriptions())
  const held = await deps.slots.listHeld()
  const compared = await compare(context, subscriptions, held)
  const counts = { undeliveredEvents: events.length, subscriptions: subscriptions.length, heldSlots: held.length }
  const drift = [...delivered, ...compared]
  for (const difference of drift) log(deps.logger, difference)
  deps.logger.info('Reconciled with the gateway', {
    ...counts,
    drift: drift.length,
    // A dry run repairs nothing; what no rule covers is left by any run.
    left: drift.filter(({ remedy, done }) => (dryRun ? remedy === 'report' : !done)).length,
  })
  return { ...counts, drift }
}

function listed<Value>(answer: GatewayAnswer<Value>): Value {
  if (answer.kind === 'ok') return answer.value
  throw new BillingError('gateway_unavailable', { message: 'The gateway could not be listed' })
}

/** Cards and customers are known from events alone; subscriptions are compared below. */
async function deliver(context: Context, event: GatewayEvent): Promise<Drift[]> {
  if (event.kind !== 'card_set_up' && event.kind !== 'customer_deleted') return []
  const { organizationId, kind } = event
  const drift = { ...noSlot, organizationId, here: 'not delivered', there: kind }
  const why = 'its webhook was not delivered'
  if (context.dryRun) return [{ ...drift, remedy: 'deliver', why, done: false }]
  try {
    await projectEvent(context, event)
    return [{ ...drift, remedy: 'deliver', why, done: true }]
  } catch (error) {
    return [{ ...drift, remedy: 'deliver', why: reasonOf(error), done: false }]
  }
}

async function compare(
  context: Context,
  subscriptions: readonly GatewaySubscription[],
  held: readonly Slot[],
): Promise<Drift[]> {
  const slots = new Map(held.map((slot) => [productCode(slot), slot]))
  const now = context.clock.now()
  const drift: Drift[] = []
  for (const subscription of subscriptions) {
    const own = nameOf(subscription)
    const slot = own && slots.get(productCode(own))
    if (own && mayDiffer(slot, subscription, now)) drift.push(...(await repair(context, subscription.id, own)))
  }
  const known = new Set(subscriptions.map(({ id }) => id))
  for (const slot of held) {
    const id = slot.subscription?.id
    if (slot.state !== 'pending' && id && !known.has(id)) drift.push(...(await repair(context, id, slot)))
  }
  return drift
}

/** The slot that a subscription's metadata names; undefined for one that is not ours. */
function nameOf({ purchase }: GatewaySubscription): SlotName | undefined {
  const organizationId = organizationIdSchema.safeParse(purchase?.organization_id).data
  const product = productOf(purchase?.plan_code ?? '')
  return organizationId && product && { organizationId, product }
}

const noSlot = { product: null, subscriptionId: null }

function log(logger: Logger, { organizationId, product, subscriptionId, ...difference }: Drift): void {
  logger.warn('Drift', {
    ...difference,
    organizationId: organizationId ?? undefined,
    product: product ?? undefined,
    subscriptionId: subscriptionId ?? undefined,
  })
}
