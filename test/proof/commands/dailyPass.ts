import { sweep } from '../../../lib/billing/checkout/sweep.ts'
import type { Drift } from '../../../lib/billing/reconcile/drift.ts'
import { isFree, type Slot } from '../../../lib/billing/slot/slot.ts'
import { EVENT_DAYS } from '../../../lib/billing/timing.ts'
import { acknowledgeWebhooks, isPending } from '../world/faults/faultRun.ts'
import { slotDiffers } from '../world/finalState.ts'
import { type BookedSubscription, type Books, chargesOf, hasEnded } from './books.ts'
import { itemsOf } from './monitors.ts'
import { organizationIds } from './places.ts'
import { boundCustomer, type Session } from './session.ts'

const places = [0, 1] as const
const MINUTE = 60_000
const DAY_SECONDS = 86_400
/** The sweeper comes by while no request is repeated: soon, past the quiet time, and past the age of a key. */
const sweeps = [2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 50 * MINUTE, 23 * 60 * MINUTE]

/** What a day needs of a session. */
export type Day = Pick<Session, 'world' | 'monitors' | 'reconcile' | 'mishap'>

/** One thing in which the record and the gateway differ. */
interface Difference {
  readonly about: Pick<Drift, 'organizationId' | 'product' | 'subscriptionId'>
  readonly what: string
}

/**
 * Lets a day pass on which no request is repeated: webhooks arrive, the sweeper settles what is pending, and the daily
 * reconciliation runs. Returns every difference that is left and was not reported.
 */
export async function passOneDay(session: Day): Promise<string[]> {
  const { world } = session
  session.mishap = undefined
  await acknowledgeWebhooks(world)
  for (const wait of sweeps) {
    if (!isPending(world)) break
    await world.pass(wait)
    await world.run((deps) => sweep(deps, deps.clock.now() + 2 * MINUTE))
    await acknowledgeWebhooks(world)
  }
  const reported = await session.reconcile()
  return left(session)
    .filter(({ about }) => !reported.some((drift) => names(drift, about)))
    .map(({ about, what }) => `not reported: ${about.subscriptionId ?? about.product} ${what}`)
}

function names(drift: Drift, { organizationId, product, subscriptionId }: Difference['about']): boolean {
  if (subscriptionId !== null) return drift.subscriptionId === subscriptionId
  return drift.organizationId === organizationId && (product === null || drift.product === product)
}

function left(session: Day): Difference[] {
  const { slots } = session.world.records.save()
  const books = session.world.stripe.core.control.state()
  return [
    ...slots.flatMap((slot) => ofSlot(session, books, slot)),
    ...boundToDeleted(session, books),
    ...books.subscriptions.filter((row) => !hasEnded(row)).flatMap((row) => ofSubscription(slots, row)),
  ]
}

/**
 * An organization whose customer was deleted: its next buyer would be refused for it. Where no sweep settled its purchases for
 * longer than a pass looks back, it is forgotten by that buyer.
 */
function boundToDeleted({ world }: Day, books: Books): Difference[] {
  const since = world.clock.now() / 1000 - EVENT_DAYS * DAY_SECONDS
  const events = books.events.filter(({ type, created }) => type === 'customer.deleted' && created > since)
  return places.flatMap((place) => {
    const customer = boundCustomer(world, place)
    const about = { organizationId: organizationIds[place], product: null, subscriptionId: null }
    const isDeleted = events.some(({ data }) => 'id' in data.object && data.object.id === customer)
    return isDeleted
      ? [{ about, what: `${customer} was deleted and is still the customer of ${organizationIds[place]}` }]
      : []
  })
}

/** A live subscription that no slot holds, or more than one. */
function ofSubscription(slots: readonly Slot[], { id, customer, status }: BookedSubscription): Difference[] {
  const holders = slots.filter((slot) => slot.subscription?.id === id && !isFree(slot)).length
  const about = { organizationId: null, product: null, subscriptionId: id }
  return holders === 1 ? [] : [{ about, what: `of ${String(customer)} is ${status} and held by ${holders} slots` }]
}

/** A slot and its own subscription. */
function ofSlot({ monitors }: Day, books: Books, slot: Slot): Difference[] {
  const own = books.subscriptions.find(({ id }) => id === slot.subscription?.id)
  const { organizationId, product } = slot
  const about = own
    ? { organizationId, product, subscriptionId: own.id }
    : { organizationId, product, subscriptionId: null }
  const behind = slotDiffers(slot, own)
  const sold = own && monitors.origins.get(own.id)?.items
  const live = own && !hasEnded(own) ? changesOf(books, own, slot, sold) : []
  return [...behind, ...live].map((what) => ({ about, what }))
}

function changesOf(books: Books, own: BookedSubscription, slot: Slot, sold: string | undefined): string[] {
  const { metadata } = own
  const isNamed = metadata.organization_id === slot.organizationId && metadata.product === slot.product
  const charges = chargesOf(books, own.id)
  const changes = [
    sold !== undefined && sold !== itemsOf(own) && `was sold as ${sold} and is ${itemsOf(own)}`,
    own.pause_collection !== null && 'has its collection paused',
    !isNamed && 'has metadata that names another slot, or none',
    Number(metadata.n) > slot.n && `has n=${metadata.n} at the gateway and n=${slot.n} here`,
    charges.length > 0 && charges.every(({ refunded }) => refunded) && 'was refunded and still entitles',
  ]
  return changes.filter((change) => change !== false)
}
