import { fillCatalog } from 'stripe-emulator'
import { customerDigest } from '../../../lib/billing/customer/customer.ts'
import type { Drift } from '../../../lib/billing/reconcile/drift.ts'
import { reconcile } from '../../../lib/billing/reconcile/reconcile.ts'
import type { Slot } from '../../../lib/billing/slot/slot.ts'
import type { Fault, FaultKind } from '../world/faults/faults.ts'
import type { Ending } from '../world/orders/gate.ts'
import { invoiceDetails, sendInvoicesTo } from '../world/stories/storiesGround.ts'
import { type Beginning, createWorld, type Injection, type Operation, type World } from '../world/world.ts'
import { createMonitors, type Monitors } from './monitors.ts'
import { organizationIds, userIds } from './places.ts'
import { byCard, type Card, type Place, type Served } from './referenceModel.ts'

const testCards = {
  good: 'pm_card_visa',
  declining: 'pm_card_chargeCustomerFail',
  secure: 'pm_card_authenticationRequired',
} as const satisfies Record<Card, string>

export type Cards = Record<Card, string>

/** The cards of an organization that has none. */
const noCards: Cards = { good: 'pm_none', declining: 'pm_none', secure: 'pm_none' }

/** What an organization gives that is sent invoices. */
export const billingDetails = {
  name: invoiceDetails.name,
  email: invoiceDetails.email,
  address: { line1: 'Hauptstraße 1', line2: null, city: 'Berlin', state: null, postalCode: '10115', country: 'DE' },
}

/** What goes wrong with the next request: one call of a port, counted from here, or a request on the wire to the gateway. */
export type Mishap =
  | { on: 'port'; call: number; kind: FaultKind }
  | {
      on: 'wire'
      path: string
      kind: 'drop_before' | 'drop_after' | 'saved 500' | 'saved 500 after its effect' | Refusal
    }

/** A status that is answered without executing anything; a 500 once, or to both attempts of a call. */
type Refusal = '500' | '500 twice' | '429' | '400' | '401' | '403'

/** Puts a broken part among the real ones. */
type Deps = Parameters<Operation>[0]
export type Sabotage = (deps: Deps, world: World) => Deps

/**
 * What came of one request; `met`: whether its mishap happened; `raced`: whether that was another caller's same request; `saved`: whether
 * it was a 500 that the gateway stored; `refused`: whether the call that met it surely executed nothing.
 */
interface Acted<Value> {
  ending: Ending<Value>
  met: boolean
  raced: boolean
  saved: boolean
  refused: boolean
}

/** The service as it is acted on, one request after the other. */
export interface Session {
  readonly world: World
  /** The payment methods of each organization's latest cards. */
  readonly cards: [Cards, Cards]
  mishap: Mishap | undefined
  /** Does one thing with the mishap that is waiting; `met`: whether it happened. */
  act<Value>(operation: Operation<Value>): Promise<Acted<Value>>
  /** Lines, as `slotName`, that a person changed in the Dashboard. */
  readonly touched: Set<string>
  /** The first item that each line had, as `slotName`: what a backup holds. */
  readonly backups: Map<string, Slot>
  readonly monitors: Monitors
  /** Keeps the first item of every line. */
  backUp(): void
  /** Runs the reconciliation from its beginning, and returns what it found. `adoptOnly`: as after a restore. */
  reconcile(options?: { adoptOnly: boolean }): Promise<Drift[]>
  /** How many answers were held to exactly one, to a few because their request met a fault, and to many after an earlier one. */
  readonly answers: { exact: number; faulty: number; open: number }
}

/** A world to begin from, and who is served how there. */
interface Prepared {
  beginning: Beginning
  cards: [Cards, Cards]
}

/** Two organizations of the same two owners, each with a customer: by card with three cards, by invoice with what that needs. */
export async function prepare(served: Served = byCard): Promise<Prepared> {
  const world = createWorld(1)
  const price = { lookup_key: 'addon_crash_reporting', unit_amount: 2900, currency: 'usd', interval: 'month' as const }
  fillCatalog(world.stripe.core, { products: [{ id: 'prod_crash', name: 'Crash reporting', price }] })
  const createdAt = '2026-11-20T08:00:00Z'
  const cards: Cards[] = []
  for (const [place, organizationId] of organizationIds.entries()) {
    const isSent = served[place] === 'invoice'
    await world.records.createOrganization(organizationId, createdAt)
    for (const userId of userIds) await world.records.setMembership(organizationId, userId, 'owner')
    if (isSent) sendInvoicesTo(world, organizationId)
    const params = { metadata: { organization_id: organizationId }, ...(isSent && invoiceDetails) }
    const customer = await world.stripe.sdk.customers.create(params, { idempotencyKey: `cus:${organizationId}:0` })
    const binding = { cipher: `${organizationId}|${customer.id}`, digest: customerDigest(customer.id) }
    await world.records.bindCustomer({ organizationId, customerRev: 0 }, binding)
    cards.push(isSent ? noCards : await giveCards(world, customer.id))
  }
  const [first, second] = cards
  if (!first || !second) throw new Error('There are two organizations')
  const beginning = world.begin()
  world.close()
  return { beginning, cards: [first, second] }
}

/** Attaches the three cards to a customer, the good one as the default. */
export async function giveCards(world: World, customer: string): Promise<Cards> {
  const { sdk } = world.stripe
  const attach = async (card: Card) => (await sdk.paymentMethods.attach(testCards[card], { customer })).id
  const cards = { good: await attach('good'), declining: await attach('declining'), secure: await attach('secure') }
  await sdk.customers.update(customer, { invoice_settings: { default_payment_method: cards.good } })
  return cards
}

/** The customer that the store has for an organization. */
export function boundCustomer(world: World, organization: Place): string | undefined {
  const account = world.records.save().accounts.find((row) => row.organizationId === organizationIds[organization])
  return account?.customer?.cipher.split('|')[1]
}

export function openSession(
  { beginning, cards }: Prepared,
  { sabotage = (deps) => deps, hasHands = false }: { sabotage?: Sabotage | undefined; hasHands?: boolean } = {},
): Session {
  const faults: Fault[] = []
  const injection: Injection = { faults }
  const world = createWorld(7, injection, beginning)
  // What a person buys twice in the Dashboard is no violation of the service's.
  if (hasHands) world.stripe.core.control.changeSettings({ one_live_per: [] })
  const desk = world.stripe.core.control.faults
  const session: Session = {
    world,
    cards: [{ ...cards[0] }, { ...cards[1] }],
    mishap: undefined,
    touched: new Set(),
    backups: new Map(),
    monitors: createMonitors(world),
    backUp() {
      for (const slot of world.records.save().slots) {
        const name = `${slot.organizationId}:${slot.product}`
        if (!session.backups.has(name)) session.backups.set(name, slot)
      }
    },
    async reconcile(options) {
      const ending = await world.run((deps) => reconcile(deps, { finishBy: Infinity, begin: true, ...options }))
      if (ending.kind !== 'answered') throw new Error(`The reconciliation did not end: ${JSON.stringify(ending)}`)
      return ending.value.drift
    },
    answers: { exact: 0, faulty: 0, open: 0 },
    async act<Value>(operation: Operation<Value>) {
      const { mishap } = session
      session.mishap = undefined
      const at = world.awaits.length + (mishap?.on === 'port' ? mishap.call : 0)
      if (mishap?.on === 'port') faults.push({ at: `call ${at}`, kind: mishap.kind })
      if (mishap?.on === 'wire') desk.add(wireFault(mishap))
      // Whoever overtakes a call does the same.
      const attempt: Operation<Value> = (deps) => operation(sabotage(deps, world))
      injection.meanwhile = attempt
      const ending = await world.run(attempt)
      const met =
        mishap !== undefined &&
        (mishap.on === 'port' ? world.awaits.length >= at : desk.scripted()[0]?.times !== wireFault(mishap).times)
      faults.length = 0
      desk.clear()
      return {
        ending,
        met,
        raced: met && mishap?.kind === 'overtaken',
        saved: met && mishap?.kind.startsWith('saved 500') === true,
        refused: met && refusals.some((kind) => kind === mishap?.kind),
      }
    },
  }
  return session
}

/** None of these is tried again. */
const refusals = ['429', '400', '401', '403'] as const satisfies Refusal[]

function wireFault({ path, kind }: Extract<Mishap, { on: 'wire' }>) {
  const times = kind.endsWith('twice') ? 2 : 1
  const fault = { method: '*', path, times, saved: false, effect: false, delay_ms: 0 }
  if (kind === 'drop_before' || kind === 'drop_after') return { ...fault, kind }
  const status = Number(/\d+/.exec(kind))
  return { ...fault, kind: 'status' as const, status, saved: kind.startsWith('saved'), effect: kind.endsWith('effect') }
}
