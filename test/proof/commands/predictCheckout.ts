import {
  type Card,
  type Code,
  codes,
  FIRST_PERIOD,
  forgetCustomer,
  type Line,
  learn,
  type Model,
  type Organization,
  type Place,
  type Purchase,
  UNPAID,
} from './referenceModel.ts'

/** A cart as a console would send it; `no_such_plan` is a code that is not sold. */
export interface Cart {
  organization: Place
  user: Place
  codes: readonly (Code | 'no_such_plan')[]
  /** Undefined: the default card. */
  card: Card | undefined
  coupon: 'half' | 'HALF' | 'nope' | undefined
}

/** Who pays: the customer as it stood when the request began, which opens it once, and whether it is behind with an invoice. */
interface Buyer {
  customer: Organization['customer']
  isLate: boolean
}

/** What a line of a cart asks for, of whom and when. */
interface Asked {
  model: Model
  cart: Cart
  organization: Organization
  line: Line
  now: number
  buyer: Buyer
}

/** The one answer that a line gets where nothing fails, and what follows from it. */
export interface Prediction {
  /** `bought`, `confirm` for a purchase that waits for its buyer, or the line's error. */
  answer: string
  /** An answer that is as right: the lines of a cart may overtake each other. */
  orElse?: string
  /** Nothing is written or sent for it. */
  inert?: boolean
  /** It takes one write at the gateway: where that is refused without being executed, nothing has happened. */
  atOnce?: boolean
  apply(): void
}

const inert = (answer: string): Prediction => ({ answer, inert: true, apply: () => {} })
const refused = (answer: string): Prediction => ({ answer, apply: () => {} })

/**
 * Null where an earlier fault leaves more than one answer open.
 */
export function predictLine(model: Model, cart: Cart, index: number, now: number, buyer: Buyer): Prediction | null {
  const code = codes.find((known) => known === cart.codes[index])
  if (code === undefined) return inert('unknown_plan')
  if (cart.codes.indexOf(code) < index) return inert('already_subscribed')
  const organization = model.organizations[cart.organization]
  const line = organization.lines[code]
  if (line.unknown || buyer.customer === 'unknown') return null
  if (line.record === 'live') return inert('already_subscribed')
  const asked = { model, cart, organization, line, now, buyer }
  return line.record === 'incomplete' ? resumed(asked) : bought(asked)
}

/** What a first payment with a card leaves to its buyer, and how it is answered. */
const firstSteps = { good: 'none', declining: 'failed', secure: 'waiting' } as const
const firstAnswers = { good: 'bought', declining: 'card_declined', secure: 'confirm' } as const

function bought({ model, cart, organization, line, now, buyer }: Asked): Prediction | null {
  const { customer, isLate } = buyer
  // A customer that was deleted there still owes its invoices.
  if (organization.gateway === 'invoice' && customer !== 'none' && isLate) return inert('invoice_overdue')
  if (cart.coupon === 'nope') return refused('coupon_invalid')
  if (organization.gateway === 'invoice') {
    if (customer !== 'present' || !organization.ready) return inert('billing_details_required')
    if (cart.card !== undefined) return inert('payment_method_invalid')
  }
  // No coupon here takes off the whole price, and without a customer there is no card either: the gateway has nothing to refuse.
  if (customer === 'none' && cart.card === undefined) return inert('payment_method_required')
  if (cart.coupon !== undefined) {
    if (model.coupons[cart.user] === 'unknown') return null
    if (model.coupons[cart.user] === 'taken') return refused('coupon_already_redeemed')
  }
  if (customer === 'deleted') {
    // Line by line, an earlier line has had the customer forgotten, and nothing is claimed for one that is gone.
    if (cart.coupon !== undefined && organization.customer !== 'deleted') return refused('gateway_unavailable')
    return { answer: 'gateway_refused', apply: () => forgetCustomer(organization) }
  }
  const created = () => {
    organization.customer = 'present'
  }
  if (!organization.ready) {
    const answer = cart.card === undefined ? 'payment_method_required' : 'payment_method_invalid'
    return { answer, apply: created }
  }
  const card = cart.card ?? 'good'
  // With a coupon it stays open: the gateway would not count the redemption back.
  if (card === 'declining' && cart.coupon === undefined) return refused('card_declined')
  const apply = () => {
    const purchase: Purchase = {
      state: card === 'good' ? 'live' : 'incomplete',
      card,
      tried: card,
      couponOf: cart.coupon === undefined ? null : cart.user,
      paid: card === 'good',
      step: firstSteps[card],
      startedAt: now,
      endsAt: Number.POSITIVE_INFINITY,
      steadyUntil: steadyUntil(organization, card, now),
    }
    if (cart.coupon !== undefined) model.coupons[cart.user] = 'taken'
    if (purchase.paid && organization.gateway === 'card') line.charges += 1
    line.purchase = purchase
    line.record = card === 'good' ? 'live' : 'incomplete'
  }
  return { answer: firstAnswers[card], atOnce: card === 'good', apply }
}

function steadyUntil({ gateway }: Organization, card: Card, now: number): number {
  if (gateway === 'invoice') return now + UNPAID
  return card === 'good' ? Number.POSITIVE_INFINITY : now + FIRST_PERIOD
}

/** An incomplete purchase asked for again: its latest state is fetched first. */
function resumed(asked: Asked): Prediction | null {
  const { model, cart, organization, line, buyer } = asked
  const { purchase } = line
  if (purchase?.state === 'live') return { answer: 'already_subscribed', apply: () => learn(model, line) }
  if (purchase?.state !== 'incomplete') {
    // Its end gives the coupon back, which is what the purchase that follows may use.
    learn(model, line)
    const prediction = bought(asked)
    // While it is looked at, another line may have a customer that is gone forgotten.
    const isOvertaken = prediction?.answer === 'gateway_refused' && cart.codes.length > 1
    return isOvertaken ? { ...prediction, orElse: 'gateway_unavailable' } : prediction
  }
  const asksForAnother =
    cart.coupon !== undefined && (purchase.couponOf === null || cart.coupon.toLowerCase() !== 'half')
  if (asksForAnother && (purchase.step !== 'failed' || cart.coupon === 'nope')) return refused('coupon_invalid')
  if (asksForAnother) {
    // What was declined makes room: it is ended and bought anew. If that meets another refusal, it may have ended or not.
    if (buyer.customer !== 'present' || !organization.ready) return null
    const prediction = bought(asked)
    return prediction && { ...prediction, atOnce: false }
  }
  const waits = purchase.step === 'waiting' && (cart.card === undefined || cart.card === purchase.tried)
  if (waits) return { answer: 'confirm', inert: true, apply: () => {} }
  const card = cart.card ?? purchase.card
  if (card === 'declining') {
    const apply = () => {
      purchase.tried = card
      purchase.step = 'failed'
    }
    return { answer: 'card_declined', apply }
  }
  const apply = () => {
    purchase.tried = card
    purchase.step = card === 'good' ? 'none' : 'waiting'
    if (card === 'good') {
      purchase.state = 'live'
      purchase.paid = true
      line.charges += 1
      line.record = 'live'
    }
  }
  return { answer: card === 'good' ? 'bought' : 'confirm', apply }
}
