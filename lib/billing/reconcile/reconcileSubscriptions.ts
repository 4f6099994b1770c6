import { planCodes } from '../catalog.ts'
import { customerDigest } from '../customer/customer.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Price } from '../gateway/gatewayPorts.ts'
import { isEnded, type ListedSubscription } from '../gateway/subscription.ts'
import { isHeld, productCode, type Slot } from '../slot/slot.ts'
import { type Drift, driftOf, mayDiffer } from './drift.ts'
import { listed, slotNamedBy } from './listed.ts'
import { mailExpiringCard } from './mailExpiringCard.ts'
import type { ComparedRows, PassContext } from './passContext.ts'
import { raiseNumber } from './raiseNumber.ts'
import { repair } from './repair.ts'
import { reportKeptPayment } from './reportKeptPayment.ts'
import { reportLostRedemption } from './reportLostRedemption.ts'
import { sells, termsDifferences } from './terms.ts'

interface SubscriptionsPage extends PassContext {
  readonly prices: ReadonlyMap<string, Price>
}

/** How many slots are marked at a time. */
const TOGETHER = 10

/** Compares a page of the gateway's subscriptions with their slots, and marks a slot when it finds the slot's own subscription. */
export async function compareSubscriptions(context: PassContext): Promise<ComparedRows> {
  const { rows, next } = listed(await context.listing.listSubscriptions(context.pass.cursor))
  const page = { ...context, prices: listed(await gatewayOf(context.gateways, context.listing).catalog.prices()) }
  // Read the slots after the list: then every listed purchase is already claimed in its slot.
  const named = rows.map((row) => ({ row, name: slotNamedBy(row) }))
  const names = named.flatMap(({ name }) => name ?? [])
  const slots = new Map((await context.passes.readSlots(names)).map((slot) => [productCode(slot), slot]))
  const found: { slot: Slot; id: string }[] = []
  for (const { row, name } of named) {
    const slot = name && slots.get(productCode(name))
    const own = slot ? await compareNamed(page, slot, row) : await compareUnnamed(page, row)
    if (own) found.push({ slot: own, id: row.id })
  }
  for (let at = 0; at < found.length; at += TOGETHER) {
    const marks = found.slice(at, at + TOGETHER)
    await Promise.all(marks.map(({ slot, id }) => context.passes.markSeen(slot, id, context.pass.id)))
  }
  return { rows: rows.length, ...(next !== undefined && { next }) }
}

/** Compares a subscription with the slot that its metadata name. Returns the slot if the subscription is its own. */
async function compareNamed(page: SubscriptionsPage, slot: Slot, row: ListedSubscription): Promise<Slot | undefined> {
  const isOwn = slot.subscription?.id === row.id && slot.state !== 'pending'
  const found = mayDiffer(slot, row, page.clock.now()) ? await repairNamed(page, slot, row) : []
  for (const drift of found) page.report(drift)
  // When a slot adopts a subscription, it takes the subscription's number too.
  if (!found.some(({ remedy }) => remedy === 'adopt')) await raiseNumber(page, slot, row)
  if (isOwn) reportTerms(page, slot, row)
  if (isOwn) await mailExpiringCard(page, slot, row)
  await reportKeptPayment(page, slot, row)
  await reportLostRedemption(page, slot, row)
  return isOwn && isHeld(slot) ? slot : undefined
}

async function repairNamed(page: SubscriptionsPage, slot: Slot, row: ListedSubscription): Promise<Drift[]> {
  const isOwn = slot.subscription?.id === row.id && slot.state !== 'pending'
  const refusal = isOwn || isEnded(row.status) ? undefined : await whyNotOf(page, slot, row)
  if (refusal === undefined) return repair(page, row, slot)
  return [driftOf(slot, { remedy: 'report', why: refusal, slot, latest: row })]
}

/** Why a live subscription is not the purchase that its metadata name; undefined if it is. Anybody may edit metadata in the Dashboard. */
async function whyNotOf(page: SubscriptionsPage, slot: Slot, row: ListedSubscription): Promise<string | undefined> {
  if (!sells(row, slot.product, page.prices.get(planCodes[slot.product]))) {
    return 'its metadata name a product that it does not sell'
  }
  const { slots } = await page.records.readSlots(slot.organizationId)
  return slots.some((other) => other.product !== slot.product && other.subscription?.id === row.id)
    ? 'its metadata name another slot than the one that holds it'
    : undefined
}

/** Compares a subscription without our metadata, which a customer of ours should not have. */
async function compareUnnamed(page: SubscriptionsPage, row: ListedSubscription): Promise<Slot | undefined> {
  if (isEnded(row.status)) return undefined
  const [organizationId] = await page.records.findOrganizations(customerDigest(row.customerId))
  if (organizationId === undefined) return undefined
  const { slots } = await page.records.readSlots(organizationId)
  const own = slots.find(({ subscription }) => subscription?.id === row.id)
  const why = own ? 'its metadata were removed' : 'a subscription of this customer that was not sold here'
  const name = { organizationId, product: own?.product ?? null }
  page.report(
    driftOf(name, { remedy: 'report', why, slot: own, latest: row, ...(own === undefined && { here: 'not known' }) }),
  )
  if (own === undefined) return undefined
  if (mayDiffer(own, row, page.clock.now())) for (const drift of await repair(page, row, own)) page.report(drift)
  reportTerms(page, own, row)
  return own
}

function reportTerms(page: SubscriptionsPage, slot: Slot, row: ListedSubscription): void {
  if (isEnded(row.status)) return
  for (const difference of termsDifferences(slot, row, page.prices.get(planCodes[slot.product]))) {
    page.report(driftOf(slot, { remedy: 'report', subscriptionId: row.id, ...difference }))
  }
}
