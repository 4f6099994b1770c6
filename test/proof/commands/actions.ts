import { checkout } from '../../../lib/billing/checkout/checkout.ts'
import { changeDetails } from '../../../lib/billing/customer/details.ts'
import { createSetupIntent } from '../../../lib/billing/customer/setupIntent.ts'
import { BillingError } from '../../../lib/billing/errors.ts'
import { projectEvent } from '../../../lib/billing/events/projectEvent.ts'
import { cancel } from '../../../lib/billing/subscriptions/cancel.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import type { Ending } from '../world/orders/gate.ts'
import { isBehind, subscriptionOf } from './books.ts'
import { booked } from './compare.ts'
import { blocked, refusals } from './monitors.ts'
import { callers, organizationIds, productOfCode } from './places.ts'
import { type Cart, predictLine } from './predictCheckout.ts'
import { deliverAll, deliverSome, doubt, predictCancel, predictDetails, predictSetup } from './predictOthers.ts'
import { type Code, codes, doubtNews, type Model, type Place, tick } from './referenceModel.ts'
import { billingDetails, boundCustomer, giveCards, type Session } from './session.ts'

/** What a line may answer that a fault has made uncertain, now or before. */
const uncertain = ['bought', 'confirm', 'already_subscribed', ...blocked, ...refusals]
/**
 * What a line may answer instead of the truth when its own request meets a fault. If the fault kept an earlier line from forgetting a
 * deleted customer, the gateway refuses the next line as well.
 */
function faultyAnswers({ met, refused, gone }: { met: boolean; refused: boolean; gone: boolean }): string[] {
  if (!met) return []
  const atGateway = refused || gone ? ['gateway_refused'] : []
  return ['gateway_unavailable', ...atGateway, ...(refused ? [] : ['checkout_in_progress'])]
}

const start = (model: Model, { world, mishap }: Session) => {
  tick(model, world.clock.now())
  // Every event on its way is delivered during the request.
  if (mishap?.kind === 'event first') doubtNews(model)
  return world.clock.now()
}

/** Buys a cart, and holds every line to the model. */
export async function buyCart(model: Model, session: Session, cart: Cart): Promise<void> {
  const now = start(model, session)
  const { customer } = model.organizations[cart.organization]
  const { ending, met, raced, saved, refused } = await session.act((deps) =>
    checkout(deps, {
      organizationId: organizationIds[cart.organization],
      caller: callers[cart.user],
      productCodes: cart.codes,
      paymentMethodId: cart.card && session.cards[cart.organization][cart.card],
      couponCode: cart.coupon,
    }),
  )
  const customerId = boundCustomer(session.world, cart.organization)
  const isLate = isBehind(session.world.stripe.core.control.state(), customerId, now)
  if (ending.kind === 'failed') throw new Error(`A checkout failed: ${String(ending.error)}`)
  if (ending.kind === 'crashed' && !met) throw new Error('Nothing was to crash')
  for (const [index, code] of cart.codes.entries()) {
    const prediction = predictLine(model, cart, index, now, { customer, isLate })
    count(session, prediction, met)
    const line = ending.kind === 'answered' ? ending.value[index] : undefined
    const answer = line && (!line.ok ? line.error : line.clientSecret === null ? 'bought' : 'confirm')
    const known = codes.find((one) => one === code)
    const { organization } = cart
    if (known)
      session.monitors.answered({
        organization,
        code: known,
        answer: answer ?? 'gateway_unavailable',
        at: now,
        met,
        saved,
      })
    // After a fault the other answer may be of the fault, which leaves more open.
    const isEither = answer === prediction?.answer || (!met && answer === prediction?.orElse)
    const isPredicted = answer !== undefined && isEither
    if (prediction && isPredicted) {
      prediction.apply()
      continue
    }
    const allowed =
      !prediction || raced
        ? uncertain
        : [prediction.answer, ...faultyAnswers({ met, refused, gone: customer === 'deleted' })]
    if (answer !== undefined && !allowed.includes(answer)) {
      throw new Error(`${code} was answered ${answer}, the model allows ${allowed.join(' or ')}`)
    }
    if (!known || prediction?.inert || (refused && prediction?.atOnce)) continue
    const takesCoupon = cart.coupon === 'half' || cart.coupon === 'HALF'
    doubt(
      model,
      cart.organization,
      model.organizations[cart.organization].lines[known],
      takesCoupon ? cart.user : undefined,
    )
  }
  // To forget a customer that is gone is tried once and not waited for.
  if (met && customer === 'deleted') model.organizations[cart.organization].customer = 'unknown'
}

/** Cancels a line. */
export async function cancelLine(
  model: Model,
  session: Session,
  request: { organization: Place; user: Place; code: Code; atPeriodEnd: boolean },
): Promise<void> {
  const at = start(model, session)
  const { organization, user, code, atPeriodEnd } = request
  const { ending, met, raced, saved, refused } = await session.act((deps) => {
    const [organizationId, caller] = [organizationIds[organization], callers[user]]
    return cancel(deps, { organizationId, caller, product: productOfCode(code), atPeriodEnd })
  })
  const line = model.organizations[organization].lines[code]
  const prediction = predictCancel(model, line, atPeriodEnd)
  count(session, prediction, met)
  const answer = ending.kind === 'answered' ? ending.value.status : errorOf(ending)
  session.monitors.answered({ organization, code, answer, at, met, saved })
  const allowed =
    prediction && !raced
      ? [prediction.answer, ...(met ? faultyErrors : []), ...(refused ? ['gateway_refused'] : [])]
      : [
          'canceled',
          'cancellation_scheduled',
          'not_subscribed',
          'checkout_in_progress',
          'gateway_refused',
          ...faultyErrors,
        ]
  hold(`Cancelling ${code}`, answer, allowed)
  if (prediction?.answer !== answer) {
    if (!prediction?.inert && !(refused && prediction?.atOnce)) doubt(model, organization, line, undefined)
    return
  }
  prediction.apply()
  if (ending.kind === 'answered' && ending.value.status === 'cancellation_scheduled' && line.purchase) {
    line.purchase.endsAt = (ending.value.effectiveAt ?? Number.NaN) * 1000
  }
}

/** Asks for a setup intent and, where there is a customer afterwards, sets its cards up at Stripe. */
export async function setUpCards(model: Model, session: Session, organization: Place, user: Place): Promise<void> {
  start(model, session)
  const owner = model.organizations[organization]
  const request = { organizationId: organizationIds[organization], caller: callers[user] }
  const { ending, met, raced, refused } = await session.act((deps) => createSetupIntent(deps, request))
  const prediction = predictSetup(owner)
  count(session, prediction, met)
  const answer = ending.kind === 'answered' ? 'secret' : errorOf(ending)
  const allowed =
    prediction && !raced
      ? [prediction.answer, ...(met ? faultyErrors : []), ...(refused ? ['gateway_refused'] : [])]
      : [prediction?.answer ?? 'secret', 'secret', 'gateway_refused', ...faultyErrors]
  hold('A setup intent', answer, allowed)
  if (prediction?.inert) return
  const certain = !met || owner.customer === 'none'
  if (prediction?.answer === answer && certain) prediction.apply()
  else if (owner.customer !== 'present') owner.customer = 'unknown'
  const customer = boundCustomer(session.world, organization)
  if (owner.customer !== 'present' || owner.ready || !customer) return
  session.cards[organization] = await giveCards(session.world, customer)
  owner.ready = true
}

/** Gives everything that an invoice needs. */
export async function giveDetails(model: Model, session: Session, organization: Place, user: Place): Promise<void> {
  start(model, session)
  const owner = model.organizations[organization]
  const request = { organizationId: organizationIds[organization], caller: callers[user] }
  const { ending, met, raced, refused } = await session.act((deps) =>
    changeDetails(deps, { ...request, change: billingDetails }),
  )
  const prediction = predictDetails(owner)
  count(session, prediction, met)
  const answer = ending.kind === 'answered' ? 'given' : errorOf(ending)
  const faulty = [...faultyErrors, ...(refused || !prediction ? ['gateway_refused'] : [])]
  const allowed =
    prediction && !raced ? [prediction.answer, ...(met ? faulty : [])] : ['given', 'gateway_refused', ...faulty]
  hold('A change of details', answer, allowed)
  if (prediction?.answer === answer && !met) prediction.apply()
  else if (owner.customer !== 'present') owner.customer = 'unknown'
}

/** How an invoice is paid: on its page, or by a transfer that a person matches with it. */
export const waysToPay = ['on its page', 'by transfer'] as const

/** Pays the open invoice of a line that was sent first, also of a purchase that has ended, where there is one. */
export async function payInvoice(
  model: Model,
  session: Session,
  { organization, code, how }: { organization: Place; code: Code; how: (typeof waysToPay)[number] },
): Promise<void> {
  start(model, session)
  const { stripe } = session.world
  const books = stripe.core.control.state()
  const ids = booked(books, organization, code).map(({ id }) => id)
  const open = books.invoices.find((row) => row.status === 'open' && ids.includes(subscriptionOf(row)))
  if (open?.collection_method !== 'send_invoice') return
  const customer = books.customers.find(({ id }) => id === open.customer)?.id
  const card =
    how === 'on its page' && customer && (await stripe.sdk.paymentMethods.attach('pm_card_visa', { customer }))
  await stripe.sdk.invoices.pay(open.id, card ? { payment_method: card.id } : { paid_out_of_band: true })
  if (open.billing_reason === 'subscription_create') model.organizations[organization].lines[code].charges += 1
}

/** Delivers every owed event. */
export async function deliver(model: Model, session: Session, order: 'in order' | 'reversed' | 'twice'): Promise<void> {
  start(model, session)
  const { world } = session
  const owed = world.stripe.core.pendingWebhooks(true)
  const events = world.owedEvents()
  const turns = owed.map(({ delivery }, index) => ({ delivery, event: events[index] }))
  if (order === 'reversed') turns.reverse()
  if (order === 'twice') turns.push(...turns)
  let anyMet = false
  for (const { delivery, event } of turns) {
    if (!event) throw new Error('Every event of the gateway is verified')
    const { mishap } = session
    const { ending, met } = await session.act((deps) => projectEvent(deps, event))
    // It waits for an event whose projection makes that many calls.
    if (!met) session.mishap = mishap
    anyMet ||= met
    world.stripe.core.recordWebhookAttempt(delivery, ending.kind === 'answered' ? 200 : 503)
  }
  session.mishap = undefined
  if (anyMet) deliverSome(model)
  else deliverAll(model, order)
}

const faultyErrors = ['gateway_unavailable', 'service_unavailable', 'crashed']

function count({ answers }: Session, prediction: unknown, met: boolean): void {
  answers[prediction ? (met ? 'faulty' : 'exact') : 'open'] += 1
}

function errorOf(ending: Ending<unknown>): string {
  if (ending.kind === 'crashed') return 'crashed'
  const error = ending.kind === 'failed' ? ending.error : undefined
  if (error instanceof BillingError || error instanceof CommonError) return error.code
  throw new Error(`Failed with ${String(error)}`)
}

function hold(what: string, answer: string, allowed: readonly string[]): void {
  if (!allowed.includes(answer))
    throw new Error(`${what} was answered ${answer}, the model allows ${allowed.join(' or ')}`)
}
