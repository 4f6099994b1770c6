import { planCodes } from '../../../lib/billing/catalog.ts'
import { checkout } from '../../../lib/billing/checkout/checkout.ts'
import { acknowledgeWebhooks, isPending } from '../world/faults/faultRun.ts'
import { notAtRest } from '../world/finalState.ts'
import type { World } from '../world/world.ts'
import { type BookedSubscription, type Books, hasEnded, intentsOf, subscriptionOf } from './books.ts'
import { booked, paidFirst } from './compare.ts'
import { callers, organizationIds, productOfCode, userIds } from './places.ts'
import { deliverAll } from './predictOthers.ts'
import { allLines, type Card, codes, type Model, type Place, type Purchase, tick, UNPAID } from './referenceModel.ts'
import { boundCustomer, type Cards, type Session } from './session.ts'

const MINUTE = 60_000
/** Long enough for a lease, for the quiet time and for a key to be too old, one after the other. */
const waits = [MINUTE, 20 * MINUTE, 21 * 60 * MINUTE]
const places = [0, 1] as const

/**
 * Brings everything to rest: webhooks arrive, and what is pending is asked for again. The record must equal the gateway then,
 * and the model learns from the gateway what it was unsure of.
 */
export async function heal(model: Model, session: Session): Promise<string[]> {
  const { world } = session
  if (world.stripe.nextArrival() !== undefined) await world.pass(MINUTE)
  await acknowledgeWebhooks(world)
  for (const wait of waits) {
    if (!isPending(world)) break
    await world.pass(wait)
    for (const slot of world.records.save().slots) {
      if (slot.state !== 'pending') continue
      const productCodes = [planCodes[slot.product]]
      const { organizationId } = slot
      const request = {
        organizationId,
        caller: callers[0],
        productCodes,
        paymentMethodId: undefined,
        couponCode: undefined,
      }
      await session.act((deps) => checkout(deps, request))
    }
    await acknowledgeWebhooks(world)
  }
  tick(model, world.clock.now())
  deliverAll(model, 'in order')
  relearn(model, session)
  // What a person changed may differ and be reported: that is looked at after the daily pass.
  return isByHand(model) ? [] : notAtRest(world)
}

function relearn(model: Model, { world, cards }: Session): void {
  const books = world.stripe.core.control.state()
  const { slots } = world.records.save()
  for (const place of places) {
    const organization = model.organizations[place]
    if (organization.customer === 'unknown' && !customerRefused(world, place)) {
      const customer = boundCustomer(world, place)
      const there = books.customers.some(({ id }) => id === customer)
      organization.customer = customer === undefined ? 'none' : there ? 'present' : 'deleted'
      const has = organization.gateway === 'card' ? hasCards : hasAddress
      organization.ready = there && has(books, customer)
    }
    for (const code of codes) {
      const line = organization.lines[code]
      if (!line.unknown || line.byHand) continue
      const held = booked(books, place, code).find((row) => !hasEnded(row))
      // Whether an unpaid renewal is paid in the end is not predicted.
      if (held?.status === 'past_due' && organization.gateway === 'card') continue
      const slot = slots.find(
        (row) => row.organizationId === organizationIds[place] && row.product === productOfCode(code),
      )
      line.unknown = false
      line.purchase = held ? purchaseOf(books, held, cards[place]) : null
      line.record = line.purchase?.state === 'incomplete' ? 'incomplete' : held ? 'live' : 'free'
      line.everHeld = slot?.state === 'canceled'
      line.charges = paidFirst(books, place, code)
    }
  }
  for (const user of places) {
    const uses = books.subscriptions.some((row) => row.metadata.user_id === userIds[user] && usesCoupon(books, row))
    if (model.coupons[user] === 'unknown' && !isByHand(model)) model.coupons[user] = uses ? 'taken' : 'free'
  }
}

const hasCards = ({ payment_methods: methods }: Books, customer: string | undefined) =>
  methods.some((row) => row.customer === customer)

const hasAddress = ({ customers }: Books, customer: string | undefined) =>
  customers.some(({ id, address }) => id === customer && address != null)

/** Whether a person changed anything in the Dashboard. */
export function isByHand(model: Model): boolean {
  return allLines(model).some(({ byHand }) => byHand)
}

/** A 500 that Stripe stored under the customer's key is repeated for a day: it is not known when there will be a customer. */
function customerRefused(world: World, place: Place): boolean {
  const created = `POST /v1/customers cus:${organizationIds[place]}`
  return world.trace.some((line) => line.includes(created) && line.endsWith('-> 500'))
}

function purchaseOf(books: Books, row: BookedSubscription, cards: Cards): Purchase {
  const card = cardOf(row.default_payment_method, cards)
  const payment = paymentOf(books, row)
  const user: Place = row.metadata.user_id === userIds[0] ? 0 : 1
  const waiting = payment?.status === 'requires_action'
  const live = row.status !== 'incomplete'
  const periodEnd = row.items.data[0]?.current_period_end ?? 0
  return {
    state: live ? 'live' : 'incomplete',
    card,
    tried: payment ? cardOf(payment.payment_method, cards) : card,
    couponOf: books.discounts.some(({ subscription }) => subscription === row.id) ? user : null,
    paid: live,
    step: live ? 'none' : waiting ? 'waiting' : 'failed',
    startedAt: row.created * 1000,
    endsAt: row.cancel_at === null ? Number.POSITIVE_INFINITY : row.cancel_at * 1000,
    steadyUntil: isSent(row)
      ? unpaidUntil(books, row)
      : card === 'good'
        ? Number.POSITIVE_INFINITY
        : (periodEnd - 86_400) * 1000,
  }
}

function cardOf(method: BookedSubscription['default_payment_method'], cards: Cards): Card {
  if (method === null || method === cards.good) return 'good'
  return method === cards.declining ? 'declining' : 'secure'
}

const isSent = ({ collection_method }: BookedSubscription) => collection_method === 'send_invoice'

/** Until when a purchase by invoice surely lives: a month after the first due date of what is not paid. */
function unpaidUntil({ invoices }: Books, row: BookedSubscription): number {
  const unpaid = invoices.filter(
    (one) => subscriptionOf(one) === row.id && ['draft', 'open'].includes(one.status ?? ''),
  )
  const dues = unpaid.flatMap(({ due_date: due }) => due ?? [])
  return Math.min(...dues, row.items.data[0]?.current_period_end ?? Number.POSITIVE_INFINITY) * 1000 + UNPAID / 2
}

/** The payment of a subscription's latest invoice. */
export function paymentOf(books: Books, { latest_invoice: invoice }: BookedSubscription) {
  const intents = intentsOf(books, String(invoice))
  return books.payment_intents.findLast(({ id }) => intents.includes(id))
}

function usesCoupon({ discounts, invoices }: Books, row: BookedSubscription): boolean {
  if (!discounts.some(({ subscription }) => subscription === row.id)) return false
  const paid = invoices.some(
    (one) => one.parent?.subscription_details?.subscription === row.id && one.status === 'paid',
  )
  return paid || !hasEnded(row)
}
