import fc from 'fast-check'
import { faultKinds } from '../world/faults/faults.ts'
import { buyCart, cancelLine, deliver, giveDetails, payInvoice, setUpCards, waysToPay } from './actions.ts'
import { hasEnded } from './books.ts'
import { booked, differences } from './compare.ts'
import { passOneDay } from './dailyPass.ts'
import { type HandName, useHand } from './dashboard.ts'
import { heal, isByHand, paymentOf } from './heal.ts'
import type { Cart } from './predictCheckout.ts'
import { deleteCustomer } from './predictOthers.ts'
import { type Code, codes, FIRST_PERIOD, type Model, type Place, tick } from './referenceModel.ts'
import { boundCustomer, type Mishap, type Session } from './session.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
/** Stripe gives an event up after three days and keeps it for thirty, so what is older has arrived. */
const RESENT = 3 * DAY
const STRETCH = 20 * DAY

type Step = fc.AsyncCommand<Model, Session>

/** What the whole sequence has in common with the model after every step. */
function step(name: string, run: (model: Model, session: Session) => Promise<void>): Step {
  return {
    check: () => true,
    async run(model, session) {
      await run(model, session)
      tick(model, session.world.clock.now())
      session.backUp()
      const found = await differences(model, session)
      if (found.length > 0) throw new Error(found.join('\n'))
    },
    toString: () => name,
  }
}

/** Remembers the last request, to be sent again. */
const lastRequest = new WeakMap<Session, (model: Model, session: Session) => Promise<void>>()
function request(name: string, run: (model: Model, session: Session) => Promise<void>): Step {
  return step(name, (model, session) => {
    lastRequest.set(session, run)
    return run(model, session)
  })
}

const place = fc.constantFrom<Place>(0, 0, 0, 1)
const code = fc.constantFrom<Code>('base_ota', 'base_ota', ...codes)
const cart: fc.Arbitrary<Cart> = fc.record({
  organization: place,
  user: place,
  codes: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(code) },
    {
      weight: 2,
      arbitrary: fc.array(fc.constantFrom(...codes, 'base_ota', 'no_such_plan'), { minLength: 1, maxLength: 3 }),
    },
  ),
  card: fc.constantFrom(undefined, 'good', 'declining', 'secure', 'secure'),
  coupon: fc.constantFrom(undefined, undefined, 'half', 'HALF', 'nope'),
})
const buy = cart.map((wanted) => request(`checkout ${JSON.stringify(wanted)}`, (m, r) => buyCart(m, r, wanted)))

const cancel = fc
  .record({ organization: place, user: place, code, atPeriodEnd: fc.boolean() })
  .map((wanted) => request(`cancel ${JSON.stringify(wanted)}`, (m, r) => cancelLine(m, r, wanted)))

const repeat = fc.constant(
  step('repeat the last request', async (model, session) => lastRequest.get(session)?.(model, session)),
)

const cards = fc
  .tuple(place, place)
  .map(([organization, user]) =>
    request(`set up cards for ${organization} by ${user}`, (m, r) => setUpCards(m, r, organization, user)),
  )

const details = fc
  .tuple(place, place)
  .map(([organization, user]) =>
    request(`give the details of ${organization} by ${user}`, (m, r) => giveDetails(m, r, organization, user)),
  )

const payment = fc
  .record({ organization: place, code, how: fc.constantFrom(...waysToPay) })
  .map((wanted) => step(`pay the invoice ${JSON.stringify(wanted)}`, (m, r) => payInvoice(m, r, wanted)))

const webhooks = fc
  .constantFrom('in order' as const, 'reversed' as const, 'twice' as const)
  .map((order) => step(`deliver ${order}`, (model, session) => deliver(model, session, order)))

const advance = fc
  .constantFrom(SECOND, 61 * SECOND, 67 * 60 * SECOND, 20.5 * HOUR, 25 * HOUR, 29 * DAY, 40 * DAY)
  .map((time) =>
    step(`advance ${time / SECOND} s`, async (model, session) => {
      for (let left = time; left > 0; left -= STRETCH) {
        if (time > RESENT) {
          session.mishap = undefined
          await deliver(model, session, 'in order')
        }
        await session.world.pass(Math.min(left, STRETCH))
      }
    }),
  )

const authenticate = fc
  .tuple(place, code, fc.constantFrom('succeed' as const, 'fail' as const))
  .map(([where, what, how]) =>
    step(`authenticate ${what} of ${where}: ${how}`, async (model, { world }) => {
      tick(model, world.clock.now())
      const line = model.organizations[where].lines[what]
      const { purchase } = line
      const books = world.stripe.core.control.state()
      const row = booked(books, where, what).find((one) => one.status === 'incomplete')
      const payment = row && paymentOf(books, row)
      if (payment?.status !== 'requires_action') return
      world.stripe.core.control.authenticate(payment.id, how)
      if (line.unknown || !purchase) return
      purchase.step = how === 'succeed' ? 'none' : 'failed'
      if (how === 'fail') return
      purchase.state = 'live'
      purchase.paid = true
      purchase.steadyUntil = purchase.startedAt + FIRST_PERIOD
      line.charges += 1
    }),
  )

const atDashboard = fc.tuple(place, code).map(([where, what]) =>
  step(`end ${what} of ${where} at Stripe's dashboard`, async (model, { world }) => {
    tick(model, world.clock.now())
    const row = booked(world.stripe.core.control.state(), where, what).find((one) => !hasEnded(one))
    if (!row) return
    await world.stripe.sdk.subscriptions.cancel(row.id)
    const { unknown, purchase } = model.organizations[where].lines[what]
    if (!unknown && purchase) purchase.state = 'ended'
  }),
)

const customerGone = place.map((where) =>
  step(`delete the customer of ${where}`, async (model, { world }) => {
    tick(model, world.clock.now())
    const customer = boundCustomer(world, where)
    if (model.organizations[where].customer !== 'present' || customer === undefined) return
    await world.stripe.sdk.customers.del(customer)
    deleteCustomer(model.organizations[where])
  }),
)

const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  fc.record({
    on: fc.constant('port' as const),
    call: fc.integer({ min: 1, max: 8 }),
    kind: fc.constantFrom(...faultKinds),
  }),
  fc.record({
    on: fc.constant('wire' as const),
    path: fc.constantFrom('/v1/subscriptions', '/v1/subscriptions*', '/v1/*'),
    kind: fc.constantFrom(
      ...(['drop_before', 'drop_after', 'saved 500', 'saved 500 after its effect'] as const),
      ...(['500', '500 twice', '429', '400', '401', '403'] as const),
    ),
  }),
)
const goWrong = mishap.map((what) =>
  step(`next: ${JSON.stringify(what)}`, async (_, session) => {
    session.mishap = what
  }),
)

const rest = fc.constant(
  step('come to rest', async (model, session) => {
    session.mishap = undefined
    const left = await heal(model, session)
    if (left.length > 0) throw new Error(left.join('\n'))
  }),
)

/** What a person does in the Dashboard, of what is listed. */
const byHand = (names: readonly HandName[]) =>
  fc
    .record({ hand: fc.constantFrom(...names), organization: place, code })
    .map((what) => step(`in the Dashboard ${JSON.stringify(what)}`, (model, session) => useHand(model, session, what)))

/** What may be done beside what is done in every sequence. */
export interface Beside {
  /** By a person in the Dashboard. */
  hands?: readonly HandName[]
  /** By an organization that is sent invoices. */
  invoices?: boolean
}

/** Sequences of up to `length` steps. */
export function sequences(length: number, { hands = [], invoices = false }: Beside = {}): fc.Arbitrary<Iterable<Step>> {
  const paid = invoices ? [payment, payment, details] : [authenticate]
  const often = [buy, buy, buy, buy, cancel, ...paid, goWrong, goWrong, webhooks, advance, repeat]
  const rare = hands.length > 0 ? [byHand(hands), byHand(hands), byHand(hands)] : [atDashboard, customerGone]
  return fc.commands([...often, cards, ...rare, rest], { maxCommands: length, size: 'max' })
}

/** The last step of every sequence. What a person changed is repaired or reported after a day on which nothing is repeated. */
export async function comeToRest(model: Model, session: Session): Promise<void> {
  session.mishap = undefined
  const unreported = isByHand(model) ? await passOneDay(session) : []
  const found = [...unreported, ...(await heal(model, session)), ...(await differences(model, session))]
  if (found.length > 0) throw new Error(`At the end: ${found.join('\n')}`)
}
