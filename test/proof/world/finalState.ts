import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { readEvent } from '../../../lib/adapters/stripe/readEvent.ts'
import { REFUND_DUE, stripeStatusSchema } from '../../../lib/adapters/stripe/readSubscription.ts'
import { readComment } from '../../../lib/adapters/stripe/requestedChange.ts'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import type { NextCharge } from '../../../lib/billing/gateway/subscription.ts'
import { isEntitling } from '../../../lib/billing/slot/entitlement.ts'
import type { MoneyMail } from '../../../lib/billing/slot/moneyMail.ts'
import type { BillingAccount } from '../../../lib/billing/slot/ports.ts'
import { redeemerDigest } from '../../../lib/billing/slot/redeemer.ts'
import { isHeld, productCode, type Slot } from '../../../lib/billing/slot/slot.ts'
import { type EventDraft, eventIdOf } from '../../../lib/events/event.ts'
import type { AuditEntry } from '../../../lib/organizations/ports.ts'
import { isFirstOf, isOwed } from './monitors.ts'
import type { World } from './world.ts'
import { PREVIEW } from './worldStripe.ts'

type Books = ReturnType<World['stripe']['core']['control']['state']>
type Subscription = Books['subscriptions'][number]

/** What is wrong once everything has come to rest: the local record is the gateway's, and nothing is left held. */
export function notAtRest(world: World): string[] {
  const { accounts, slots, redemptions, entries, mails, events, entitled } = world.records.save()
  const books = world.stripe.core.control.state()
  return [
    ...slots.flatMap((slot) => slotDiffers(slot, ownOf(books, slot), books)),
    ...slots.flatMap((slot) => wronglyPriced(world, books, slot)),
    ...books.subscriptions.flatMap(({ id, status, metadata }) => {
      const owner = slots.find((slot) => slot.subscription?.id === id)
      return owner || hasEnded(status) ? [] : [`${id} (n=${metadata.n}) is ${status} and belongs to no slot`]
    }),
    ...redemptions.flatMap(({ couponId, productCode: holder, n, state }) => {
      const slot = slots.find((own) => productCode(own) === holder)
      const carried = books.subscriptions.some(
        (row) => slot && isOf(row, slot) && row.metadata.n === String(n) && hadCoupon(books, row),
      )
      const right = state === 'APPLIED' ? carried : slot?.state === 'pending' && slot.n === n
      return right ? [] : [`${couponId} is ${state} by n=${n}, and its slot is ${slot?.state} n=${slot?.n}`]
    }),
    ...slots.flatMap((slot) => wronglyLogged(slot, entries)),
    ...wronglyAnnounced(events, entitled),
    ...wronglyAnnouncedInvoices(events, accounts, books),
    ...slots.flatMap((slot) => wronglyKnown(slot, events)),
    ...wronglyMailed(
      entries,
      mails.map(({ mail }) => mail),
    ),
    ...entries.flatMap((entry) =>
      unfit.test(JSON.stringify(entry.action.startsWith('payment_method.') ? { ...entry, target: '' } : entry))
        ? [`the audit log says too much: ${entry.action}`]
        : [],
    ),
    ...books.subscriptions.flatMap((row) => {
      const redeemed = redeemerDigest(row.metadata.user_id ?? '')
      const held = redemptions.some(({ n, redeemer }) => String(n) === row.metadata.n && redeemer === redeemed)
      return usesCoupon(books, row) && !held ? [`${row.id} used a coupon that is not redeemed`] : []
    }),
    ...books.subscriptions.flatMap((row) => keptOfEnded(books, row)),
  ]
}

/** What no entry of the audit log may hold: ids of customers and, but for the target of what is about one, of cards; secrets, addresses. */
const unfit = /\b(cus|pm|card|pi|seti|sk|whsec)_|secret|@/

/** No event holds that either, nor a page of the gateway. */
const unsent = new RegExp(`${unfit.source}|\\bsub_|https?:`)

/** Each purchase of a user in the log has its mail, each mail about a product its entry, and no mail holds what no log may hold. */
function wronglyMailed(entries: readonly AuditEntry[], mails: readonly MoneyMail[]): string[] {
  const untold = entries.filter(
    ({ action, actor, id }) =>
      action === 'subscription.purchased' && actor.type !== 'gateway' && !mails.some((mail) => mail.id === id),
  )
  const unfounded = mails.filter(
    ({ id, fact }) =>
      fact.kind !== 'invoice_sent' && fact.kind !== 'card_expiring' && !entries.some((entry) => entry.id === id),
  )
  const unsafe = mails.filter((mail) => unfit.test(JSON.stringify({ ...mail, fact: { ...mail.fact, page: null } })))
  return [
    ...untold.map(({ target }) => `the purchase of ${target} has no mail`),
    ...unfounded.map(({ fact }) => `a mail says ${fact.kind}, and the log does not`),
    ...unsafe.map(({ fact }) => `a mail says too much: ${fact.kind}`),
  ]
}

/** Each change of an entitlement waits in the outbox exactly once, in the write that made it, and nothing else does. */
function wronglyAnnounced(events: readonly EventDraft[], entitled: readonly string[]): string[] {
  const said = events
    .filter(({ type }) => type === 'entitlement.changed')
    .map(({ organizationId, subject, revision }) => `${organizationId} ${subject} ${revision}`)
  const unsafe = events.filter(({ data }) => unsent.test(JSON.stringify(data)))
  return [
    ...(isDeepStrictEqual(said.toSorted(), entitled.toSorted())
      ? []
      : [`changes of entitlements are ${entitled}, and the outbox has ${said}`]),
    ...unsafe.map(({ type }) => `an event says too much: ${type}`),
  ]
}

/** How long the daily pass still finds an event that no webhook brought, in seconds. */
const FOUND = 6 * 86_400

/** Each payment of an organization's invoice, and each failure of a payment, is announced once if the gateway said it, and nothing else is. */
function wronglyAnnouncedInvoices(
  events: readonly EventDraft[],
  accounts: readonly BillingAccount[],
  books: Books,
): string[] {
  const facts = books.events.flatMap((event) => {
    const read = readEvent(event)
    if (read.kind !== 'subscription' || !read.invoice) return []
    const { type, invoice, customerId } = read
    const owner = accounts.find(({ customer }) => customer?.digest === customerDigest(customerId))
    const isDeclined = read.isFirstInvoice && Object(event.data.object).collection_method !== 'send_invoice'
    if (!owner || (type !== 'invoice.paid' && (type !== 'invoice.payment_failed' || isDeclined))) return []
    const fact = type === 'invoice.paid' ? invoice.id : `${invoice.id} ${invoice.eventId}`
    const { last_status: status = null } = books.deliveries.find((delivery) => delivery.event === event.id) ?? {}
    const isSaid = status === 200 || event.created > books.now - FOUND
    return [{ id: eventIdOf(type, owner.organizationId, fact), name: `${type} of ${invoice.id}`, isSaid }]
  })
  const said = events.filter(({ type }) => type === 'invoice.paid' || type === 'invoice.payment_failed')
  return [
    ...facts.flatMap(({ id, name, isSaid }) => {
      const times = said.filter((event) => event.id === id).length
      return times === 1 || (times === 0 && !isSaid) ? [] : [`${name} is announced ${times} times`]
    }),
    ...(new Set(said.map(({ id }) => id)).size === said.length ? [] : ['an event of an invoice is announced twice']),
    // The gateway forgets its events after 30 days, but not its invoices.
    ...said.flatMap(({ type, data }) => {
      const isFact = books.invoices.some(
        ({ id, status }) => id === data.id && (type !== 'invoice.paid' || status === 'paid'),
      )
      return isFact ? [] : [`${type} of ${data.id} is announced, and no fact`]
    }),
  ]
}

/** Who only hears events knows of a slot what the record says. */
function wronglyKnown(slot: Slot, events: readonly EventDraft[]): string[] {
  const own = events.filter(
    ({ organizationId, subject }) => organizationId === slot.organizationId && subject === `slot:${slot.product}`,
  )
  const last = (type: EventDraft['type']) =>
    own
      .filter((event) => event.type === type)
      .toSorted((one, other) => one.revision - other.revision)
      .at(-1)?.data
  const [entitlement, subscription] = [last('entitlement.changed'), last('subscription.changed')]
  const isKnown =
    (entitlement?.active ?? false) === isEntitling(slot) &&
    (subscription?.status ?? null) === (slot.subscription?.status ?? null)
  return isKnown ? [] : [`events say of ${productCode(slot)} ${JSON.stringify([entitlement, subscription])}`]
}

/** A slot's log tells one purchase of each number that was bought, and one end of each that has ended. */
function wronglyLogged(slot: Slot, entries: readonly AuditEntry[]): string[] {
  const own = entries.filter(
    (entry) => productCode(slot) === productCode({ ...entry, product: slot.product }) && entry.target === slot.product,
  )
  const count = (action: string) => own.filter((entry) => entry.action === action).length
  const numbers = own.flatMap(({ action, detail }) => (action === 'subscription.purchased' ? [detail.n] : []))
  const held = isHeld(slot) && slot.state !== 'incomplete'
  const twice = numbers.length > new Set(numbers).size
  const open = numbers.length - count('subscription.canceled')
  return twice || open !== (held ? 1 : 0)
    ? [
        `the audit log of ${productCode(slot)} (${slot.state}, n=${slot.n}) is ${own.map(({ action }) => action).join(', ')}`,
      ]
    : []
}

const hasEnded = (status: string) => status === 'canceled' || status === 'incomplete_expired'

function isOf({ metadata }: Subscription, slot: Slot): boolean {
  return metadata.organization_id === slot.organizationId && metadata.product === slot.product
}

function ownOf({ subscriptions }: Books, slot: Slot): Subscription | undefined {
  return subscriptions.find(({ id }) => id === slot.subscription?.id)
}

/** How a slot differs from its own subscription at the gateway, in words. */
export function slotDiffers(slot: Slot, own: Subscription | undefined, books?: Books): string[] {
  const name = `${productCode(slot)} (${slot.state}, n=${slot.n})`
  if (slot.state === 'pending') return [`${name} is still pending`]
  if (!slot.subscription) return slot.state === 'none' ? [] : [`${name} has no subscription`]
  if (!own) return [`${name} has a subscription that the gateway does not know`]
  const { status } = slot.subscription
  const there = {
    status: stripeStatusSchema.parse(own.status),
    currentPeriodEnd: own.items.data[0]?.current_period_end ?? null,
    cancelAt: own.cancel_at,
    endedAt: own.ended_at,
  }
  const {
    id: _id,
    coveredUntil: _clock,
    payment,
    hostedInvoiceUrl,
    refunded: _refunded,
    price: _price,
    nextCharge: _next,
    ...here
  } = slot.subscription
  const wanted = books && openPaymentIn(books, own)
  if (books && payment !== wanted) return [`${name} waits for ${payment}, at the gateway for ${wanted}`]
  const page = books && payment === 'invoice_open' ? oldestOpen(books, own)?.hosted_invoice_url : hostedInvoiceUrl
  if (hostedInvoiceUrl !== page) return [`${name} is paid at ${hostedInvoiceUrl}, at the gateway at ${page}`]
  if (isDeepStrictEqual(here, there) && slot.state === status) return []
  return [`${name} is ${JSON.stringify(here)}, at the gateway ${JSON.stringify(there)}`]
}

/** What a slot says of its price and next charge that is not so; it need not know them. */
function wronglyPriced(world: World, books: Books, slot: Slot): string[] {
  const own = ownOf(books, slot)
  if (slot.state === 'pending' || !slot.subscription || !own) return []
  const { price, nextCharge } = slot.subscription
  const { unit_amount: amount, currency, recurring } = { ...own.items.data[0]?.price }
  const sold = { amount, currency, interval: recurring?.interval, intervalCount: recurring?.interval_count }
  const wanted = nextChargeIn(world, books, own)
  const isKnown = nextCharge !== undefined
  return [
    ...(price && !isDeepStrictEqual(price, sold) ? [`${JSON.stringify(price)}, sold at ${JSON.stringify(sold)}`] : []),
    ...(isKnown && !isDeepStrictEqual(nextCharge, wanted)
      ? [`${JSON.stringify(nextCharge)} next, at the gateway ${JSON.stringify(wanted)}`]
      : []),
  ].map((text) => `${productCode(slot)} (${slot.state}, n=${slot.n}) is charged ${text}`)
}

const previewed = z.object({ total: z.number() })

/** What will be charged next: the latest invoice where it waits for that, or else what the gateway previews of the next period. */
function nextChargeIn({ stripe }: World, { invoices }: Books, own: Subscription): NextCharge | null {
  const latest = invoices.find(({ id }) => id === own.latest_invoice)
  if (!['active', 'trialing', 'past_due'].includes(own.status) || own.cancel_at !== null || own.pause_collection)
    return null
  const at = latest?.status === 'draft' ? latest.automatically_finalizes_at : latest?.next_payment_attempt
  if (latest && at != null) return { amount: latest.amount_remaining, at }
  const { body } = stripe.core.call('POST', PREVIEW, { subscription: own.id })
  return { amount: Math.max(0, previewed.parse(body).total), at: own.items.data[0]?.current_period_end ?? 0 }
}

/** The open invoice of a subscription that was sent first. */
function oldestOpen({ invoices }: Books, { id }: Subscription) {
  return invoices.find(({ parent, status }) => parent?.subscription_details?.subscription === id && status === 'open')
}

/** What the payment of the latest invoice waits for, where that is open; any that is, where they are sent. */
function openPaymentIn(books: Books, own: Subscription): string | undefined {
  const { invoices, invoice_payments, payment_intents } = books
  if (own.collection_method === 'send_invoice') {
    const isSurplus = own.cancellation_details?.comment === REFUND_DUE
    return !isSurplus && oldestOpen(books, own) ? 'invoice_open' : undefined
  }
  const latest = invoices.find(({ id }) => id === own.latest_invoice)
  const payment = invoice_payments.find(({ invoice }) => invoice === latest?.id)
  const intent = payment_intents.find(({ id }) => id === payment?.payment.payment_intent)
  if (hasEnded(own.status) || latest?.status !== 'open' || !intent) return undefined
  if (intent.status === 'requires_action') return 'requires_action'
  const wantsBuyer = intent.last_payment_error?.code === 'authentication_required' && own.status !== 'incomplete'
  return wantsBuyer ? 'requires_action' : 'declined'
}

/** Whether a discount of this subscription was given, or still may be. */
function usesCoupon(books: Books, { id, status, collection_method }: Subscription): boolean {
  const { invoices } = books
  const isSent = collection_method === 'send_invoice'
  const paid = invoices.some((row) => row.parent?.subscription_details?.subscription === id && row.status === 'paid')
  const owed = isSent && invoices.some((row) => isFirstOf(id, row) && isOwed(row))
  return isDiscounted(books, id) && (paid || owed || !hasEnded(status))
}

/** The same, and of what was granted before it was paid also where that never was. */
function hadCoupon(books: Books, own: Subscription): boolean {
  return usesCoupon(books, own) || (own.collection_method === 'send_invoice' && isDiscounted(books, own.id))
}

function isDiscounted({ discounts }: Books, id: string): boolean {
  return discounts.some(({ subscription }) => subscription === id)
}

/** What was paid, unknown to the user who canceled it, or may be paid of a subscription that was canceled at once or as surplus. */
function keptOfEnded(books: Books, { id, status, cancellation_details: details }: Subscription): string[] {
  const after = details?.comment === REFUND_DUE ? 0 : hasEnded(status) && readComment(details?.comment)?.refundAfter
  if (typeof after !== 'number') return []
  return books.invoices.flatMap((invoice) => {
    if (invoice.parent?.subscription_details?.subscription !== id || !isOwed(invoice)) return []
    if (invoice.status !== 'paid')
      return invoice.amount_due > 0 ? [`${id} was ended, and ${invoice.id} may be paid`] : []
    if ((invoice.status_transitions.paid_at ?? 0) <= after) return []
    const intents = books.invoice_payments.filter((row) => row.invoice === invoice.id)
    const kept = books.charges.filter(
      ({ status, refunded, payment_intent: intent }) =>
        status === 'succeeded' && !refunded && intents.some(({ payment }) => payment.payment_intent === intent),
    )
    return kept.map((charge) => `${id} was ended, and keeps ${charge.id}`)
  })
}
