import { readComment } from '../../../lib/adapters/stripe/requestedChange.ts'
import { isFree } from '../../../lib/billing/slot/slot.ts'
import type { World } from '../world/world.ts'
import { type BookedSubscription, type Books, causes, chargesOf, hasEnded, subscriptionOf } from './books.ts'
import { organizationIds, productOfCode, slotName } from './places.ts'
import { type Code, codes, type Place } from './referenceModel.ts'

const MINUTE = 60_000
const DAY_SECONDS = 86_400
/** How long a buyer may be refused where nothing was bought. */
const PATIENCE = 20 * MINUTE

/** Answers that refuse a purchase for good. */
export const refusals: readonly string[] = [
  'billing_details_required',
  'card_declined',
  'coupon_already_redeemed',
  'coupon_invalid',
  'gateway_refused',
  'invoice_overdue',
  'payment_method_invalid',
  'payment_method_required',
]
/** Answers that say for certain that this purchase will not be made. */
const definite = [...refusals, 'not_subscribed', 'canceled', 'price_changed']
/** Answers that leave it open for now. */
export const blocked: readonly string[] = ['gateway_unavailable', 'checkout_in_progress']

/** A subscription that the service created, by the key of the request that did, and what it sold. */
interface Origin {
  readonly slot: string
  readonly n: number
  readonly items: string
}

/** What came of a request for one line. */
interface Answered {
  readonly organization: Place
  readonly code: Code
  readonly answer: string
  /** When the request began, Unix milliseconds. */
  readonly at: number
  /** Whether it met a fault, and whether that was a 500 that the gateway stored under one of its keys. */
  readonly met: boolean
  readonly saved: boolean
}

/** The rules that hold whatever a person does in the Dashboard. */
export interface Monitors {
  /** What the gateway's books and the answers until now break. */
  observe(): string[]
  answered(answer: Answered): void
  origins: ReadonlyMap<string, Origin>
}

/** The items of a subscription: what is paid for. */
export function itemsOf({ items }: BookedSubscription): string {
  return items.data.map(({ price, quantity }) => `${quantity} of ${price.id}`).join(', ')
}

export function createMonitors(world: World): Monitors {
  const origins = new Map<string, Origin>()
  const givenUp = new Map<string, { n: number; at: number }>()
  const blockedSince = new Map<string, number>()
  const savedIn = new Set<Place>()
  const judged = new Set<string>()
  const found: string[] = []
  const slotsOf = () =>
    new Map(world.records.save().slots.map((slot) => [`${slot.organizationId}:${slot.product}`, slot]))

  function learnOrigins(books: Books): void {
    for (const { id, key } of causes(books, 'customer.subscription.created')) {
      const [, slot, n] = /^sub:([^:]+:[^:]+):(\d+)$/.exec(key) ?? []
      const row = books.subscriptions.find((subscription) => subscription.id === id)
      if (slot && row && !origins.has(id)) origins.set(id, { slot, n: Number(n), items: itemsOf(row) })
    }
  }

  const ofSlot = (books: Books, slot: string) => books.subscriptions.filter(({ id }) => origins.get(id)?.slot === slot)

  /** A refund of the service's own: only of what it bought itself, too much, and ended before, or of what a user canceled unpaid. */
  function wrongRefunds(books: Books): string[] {
    const own = causes(books, 'refund.created').filter(({ id, key }) => key.startsWith('refund:') && !judged.has(id))
    return own.flatMap(({ id }) => {
      judged.add(id)
      const refund = books.refunds.find((row) => row.id === id)
      const paidFor = books.subscriptions.find((row) =>
        chargesOf(books, row.id).some((one) => one.id === refund?.charge),
      )
      const charge = books.charges.find((row) => row.id === refund?.charge)
      if (paidFor && charge && isUnknownToCanceler(paidFor, charge.created)) return []
      const why = refund && paidFor ? notSurplus(books, paidFor, refund.created) : 'nothing is known of it'
      return why ? [`refunded ${paidFor?.id}: ${why}`] : []
    })
  }

  /** A user canceled it at once, and the record did not show that it was paid. */
  function isUnknownToCanceler({ cancellation_details: details, ended_at: ended }: BookedSubscription, paidAt: number) {
    const requested = readComment(details?.comment)
    return ended !== null && requested?.change === 'cancel' && paidAt > (requested.refundAfter ?? Infinity)
  }

  function notSurplus(books: Books, row: BookedSubscription, at: number): string | undefined {
    const origin = origins.get(row.id)
    if (!origin) return 'the service did not create it'
    if (row.ended_at === null || row.ended_at > at) return 'it had not ended'
    if (row.created < at - DAY_SECONDS) return 'it was older than a day'
    const paid = books.invoices.filter((invoice) => subscriptionOf(invoice) === row.id && invoice.amount_paid > 0)
    if (paid.length !== 1) return `it had ${paid.length} paid invoices`
    const isOther = ({ id, metadata, created, ended_at: ended }: BookedSubscription) =>
      id !== row.id &&
      [origins.get(id)?.slot, `${metadata.organization_id}:${metadata.product}`].includes(origin.slot) &&
      created <= at &&
      (ended === null || ended > at)
    return books.subscriptions.some(isOther) ? undefined : 'it was the only one'
  }

  /**
   * Money that was taken for a purchase after it was answered for certain that it would not be made. What was sent to be paid later is
   * owed after its end.
   */
  function lateCharges(books: Books): string[] {
    return [...givenUp].flatMap(([slot, { n, at }]) =>
      ofSlot(books, slot).flatMap(({ id, collection_method: method }) => {
        const isSent = method === 'send_invoice'
        const origin = origins.get(id)
        if (!origin || origin.n > n || isSent) return []
        const late = chargesOf(books, id).filter(({ created }) => created * 1000 > at)
        return late.map((charge) => `${charge.id} paid for ${slot} n=${origin.n}, which was given up before`)
      }),
    )
  }

  function twoOfOurOwn(books: Books): string[] {
    const held = Map.groupBy(
      books.subscriptions.filter((row) => !hasEnded(row) && origins.has(row.id)),
      ({ id }) => origins.get(id)?.slot,
    )
    return [...held].flatMap(([slot, rows]) => (rows.length > 1 ? [`${slot} was bought ${rows.length} times`] : []))
  }

  return {
    origins,
    observe() {
      const books = world.stripe.core.control.state()
      learnOrigins(books)
      found.push(...wrongRefunds(books))
      return [...found, ...lateCharges(books), ...twoOfOurOwn(books)]
    },
    answered({ organization, code, answer, at, met, saved }) {
      const slot = slotName(organization, code)
      const stored = slotsOf().get(slot)
      if (saved) savedIn.add(organization)
      if (definite.includes(answer) && stored && isFree(stored)) {
        givenUp.set(slot, { n: stored.n, at: world.clock.now() })
      }
      if (!blocked.includes(answer)) {
        blockedSince.delete(slot)
        return
      }
      const since = blockedSince.get(slot)
      if (met || since === undefined) {
        blockedSince.set(slot, world.clock.now())
        return
      }
      const books = world.stripe.core.control.state()
      learnOrigins(books)
      const isBought = ofSlot(books, slot).some((row) => !hasEnded(row))
      if (at - since > PATIENCE && !isBought && !savedIn.has(organization)) {
        found.push(`${code} of organization ${organization} is refused ${answer} for ${(at - since) / MINUTE} minutes`)
      }
    },
  }
}

/** Rules of the books that a person's own second subscription of a line would break are held to the service's own by `observe`. */
export function ownViolations(violations: readonly string[], touched: ReadonlySet<string>): string[] {
  return violations.filter(
    (text) => !codes.some((code) => [0, 1].some((place) => isAbout(text, place === 0 ? 0 : 1, code, touched))),
  )
}

function isAbout(text: string, place: Place, code: Code, touched: ReadonlySet<string>): boolean {
  const rule = `${productOfCode(code)} of ${organizationIds[place]}`
  return touched.has(slotName(place, code)) && text.startsWith(rule)
}
