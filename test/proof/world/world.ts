import { fillCatalog } from 'stripe-emulator'
import { createGatewayListing } from '../../../lib/adapters/stripe/gatewayListing.ts'
import { createInvoiceGateway } from '../../../lib/adapters/stripe/invoiceGateway.ts'
import { createPaymentGateway } from '../../../lib/adapters/stripe/paymentGateway.ts'
import { createWebhookVerifier } from '../../../lib/adapters/stripe/webhookVerifier.ts'
import { createGatewayCall } from '../../../lib/adapters/stripe/wireCall.ts'
import { planCodes } from '../../../lib/billing/catalog.ts'
import { projectEvent } from '../../../lib/billing/events/projectEvent.ts'
import { type GatewayEvent, gatewayEventTypes } from '../../../lib/billing/gateway/gatewayEvent.ts'
import type { GatewayListing, PaymentGateway } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { PassRecords } from '../../../lib/billing/reconcile/passContext.ts'
import type { BuyingDeps, SlotListing } from '../../../lib/billing/slot/ports.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import type { Logger } from '../../../lib/log/logger.ts'
import type { User } from '../../../lib/users/ports.ts'
import { noon } from '../../billing/fixtures.ts'
import { allCalls, gatewayLike } from '../../billing/gatewayCalls.ts'
import type { Fault } from './faults/faults.ts'
import { injectFaults } from './faults/injectFaults.ts'
import {
  createInMemoryBillingRecords,
  type InMemoryBillingRecords,
  type StoredBilling,
} from './inMemoryBillingRecords.ts'
import { brokenRules } from './monitors.ts'
import { type Choose, createGate, type Ending, type Enter } from './orders/gate.ts'
import {
  gatedCipher,
  gatedGateway,
  gatedListing,
  gatedPasses,
  gatedRecords,
  gatedSlots,
  gatedUsers,
} from './orders/gatedPorts.ts'
import type { WireRequest } from './worldFetch.ts'
import { createWorldStripe, isRead, type WorldStripe } from './worldStripe.ts'
import { createRandom, createSeededIds, createVirtualClock, type VirtualClock } from './worldTime.ts'

const WEBHOOK_SECRET = 'whsec_world'
const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} }

/** One thing that a caller does with billing. */
export type Operation<Value = unknown> = (deps: WorldDeps) => Promise<Value>

/** Every side effect of billing, the lists of sweeper and reconciliation with them. */
interface WorldDeps extends BuyingDeps {
  readonly slots: SlotListing
  readonly passes: PassRecords
  readonly listing: GatewayListing
  /** What a person changes by hand: in the Dashboard, or in the store. One call, as far as the order of calls goes. */
  byHand(where: 'dashboard' | 'store', change: () => Promise<unknown>): Promise<void>
}

/** A prepared world, to begin from as often as wanted. */
export interface Beginning {
  stripe: unknown
  stored: StoredBilling
  now: number
}

/** Billing's real code between a store in memory and a gateway in this process; nothing happens by itself. */
export interface World {
  readonly clock: VirtualClock
  readonly records: InMemoryBillingRecords
  readonly stripe: WorldStripe
  /** Every call of a port, with what happened to it, and every write at the gateway. */
  readonly trace: string[]
  /** Rules that were broken, each with the write that broke it. */
  readonly violations: string[]
  /** Names of the calls that reached the gate, in order. */
  readonly awaits: string[]
  run<Value>(operation: Operation<Value>): Promise<Ending<Value>>
  runTogether<Value>(operations: readonly Operation<Value>[], choose?: Choose): Promise<Ending<Value>[]>
  /** Lets time pass, and whatever arrives on the way. */
  pass(milliseconds: number): Promise<void>
  /** Delivers the owed webhooks one after the other, in order. Answers how many were not acknowledged. */
  deliverWebhooks(): Promise<number>
  /** The events that are owed, verified, in order. */
  owedEvents(): GatewayEvent[]
  begin(): Beginning
  close(): void
}

/** What is injected, and what another caller does where a call is overtaken. */
export interface Injection {
  faults: readonly Fault[]
  meanwhile?: Operation
  /** Ids that belong to others. */
  others?: readonly string[]
}

/** Opens a world; the same seed, beginning and faults give the same trace. */
export function createWorld(seed: number, injection: Injection = { faults: [] }, beginning?: Beginning): World {
  const clock = createVirtualClock(beginning?.now ?? noon * 1000)
  const random = createRandom(seed)
  const ids = createSeededIds(random)
  const records = createInMemoryBillingRecords()
  const trace: string[] = []
  const violations: string[] = []
  const awaits: string[] = []
  const say = (line: string) => trace.push(`+${((clock.now() - started) / 1000).toFixed(2)} s ${line}`)
  const stripe = createWorldStripe({
    clock,
    random,
    carriedOut(request, answer) {
      if (isRead(request)) return
      say(`    ${request.method} ${request.path} ${keyOf(request)}-> ${answer.status}`)
      for (const rule of brokenRules(stripe.core, request, answer, injection.others ?? [])) {
        if (!violations.includes(rule)) violations.push(rule)
      }
    },
  })
  if (beginning) {
    stripe.core.restore(beginning.stripe)
    records.load(beginning.stored)
  } else {
    fillCatalog(stripe.core, catalogue)
    const enabledEvents = [...gatewayEventTypes]
    stripe.core.registerWebhookEndpoint({ url: 'http://world.invalid/', secret: WEBHOOK_SECRET, enabledEvents })
  }
  const started = clock.now()

  const call = createGatewayCall(silent, { retries: 4, minTimeout: 0, factor: 1, randomize: false })
  const sales = { automaticTax: false }
  const card = createPaymentGateway(stripe.sdk, clock, silent, sales, call)
  const invoice = createInvoiceGateway(stripe.sdk, clock, silent, sales, card, call)
  const gated = (gateway: PaymentGateway, enter: Enter) => gatewayLike(gateway, gatedGateway(allCalls(gateway), enter))
  const listing = createGatewayListing(stripe.sdk, silent)
  const verifier = createWebhookVerifier([WEBHOOK_SECRET], clock)
  const gate = createGate(
    injectFaults(injection.faults, {
      clock,
      stripe,
      records,
      say,
      seen: (name) => awaits.push(name),
      overtake: async () => {
        const { meanwhile } = injection
        if (meanwhile) await world.run(meanwhile)
      },
      deliver: async () => {
        await world.deliverWebhooks()
      },
    }),
  )
  const depsOf = (enter: Enter): WorldDeps => ({
    records: gatedRecords(records, enter),
    slots: gatedSlots(records, enter),
    passes: gatedPasses(records.passes, enter),
    gateways: { card: gated(card, enter), invoice: gated(invoice, enter) },
    listing: gatedListing(listing, enter),
    cipher: gatedCipher(enter),
    users: gatedUsers({ find: async (id) => verifiedUser(id) }, enter),
    async byHand(where, change) {
      await enter(`${where}.byHand`, change, async () => undefined)
    },
    clock,
    ids,
    logger: silent,
  })

  const world: World = {
    clock,
    records,
    stripe,
    trace,
    violations,
    awaits,
    async run(operation) {
      const [ending] = await world.runTogether([operation])
      return ending ?? { kind: 'crashed' }
    },
    runTogether: (operations, choose) =>
      gate.run(
        operations.map((operation) => (enter: Enter) => operation(depsOf(enter))),
        choose,
      ),
    async pass(milliseconds) {
      const until = clock.now() + milliseconds
      // What arrives on the way arrives at its own moment.
      for (let next = stripe.nextArrival(); next !== undefined && next <= until; next = stripe.nextArrival()) {
        clock.advance(Math.max(0, next - clock.now()))
        await stripe.arrive()
      }
      clock.advance(until - clock.now())
      stripe.core.tick()
    },
    async deliverWebhooks() {
      let refused = 0
      for (const webhook of stripe.core.pendingWebhooks(true)) {
        const event = verifier.verify(Buffer.from(webhook.body), webhook.headers['stripe-signature'])
        if (!event) throw new Error('The verifier refused an event of the gateway')
        const ending = await world.run((deps) => projectEvent(deps, event))
        if (ending.kind !== 'answered') refused += 1
        stripe.core.recordWebhookAttempt(webhook.delivery, ending.kind === 'answered' ? 200 : 503)
      }
      return refused
    },
    owedEvents: () =>
      stripe.core
        .pendingWebhooks(true)
        .flatMap(({ body, headers }) => verifier.verify(Buffer.from(body), headers['stripe-signature']) ?? []),
    begin: () => ({ stripe: stripe.core.snapshot(), stored: records.save(), now: clock.now() }),
    close: stripe.close,
  }
  return world
}

/** Every id is a user's, with an address of its own. */
function verifiedUser(id: UserId): User {
  const facts = { isActive: true, isVerified: true, isSuperuser: false, createdAt: noon * 1000 }
  return { id, email: `${id}@example.com`, username: id, ...facts }
}

/** The key of ours; one that the SDK made up differs every time. */
function keyOf({ headers }: WireRequest): string {
  const key = headers['idempotency-key']
  return key === undefined || key.startsWith('stripe-node') ? '' : `${key} `
}

const catalogue = {
  products: [
    {
      id: 'prod_ota',
      name: 'Over-the-air updates',
      price: { lookup_key: planCodes.ota, unit_amount: 4900, currency: 'usd', interval: 'month' as const },
    },
    {
      id: 'prod_monitoring',
      name: 'Monitoring',
      price: { lookup_key: planCodes.monitoring, unit_amount: 1900, currency: 'usd', interval: 'month' as const },
    },
  ],
  coupons: [
    { id: 'half', percent_off: 50, duration: 'once' },
    { id: 'free', percent_off: 100, duration: 'once' },
    { id: 'limited', percent_off: 50, duration: 'once', max_redemptions: 1 },
  ],
  promotionCodes: [
    { code: 'HALF', coupon: 'half' },
    { code: 'LIMITED', coupon: 'limited' },
  ],
}
