import { at } from './at.ts'
import type { Model, Visit } from './explore.ts'
import type { EventGuard } from './guards/guards.ts'

/** What must hold of the events of a slot in every state, by what its breach is called. */
export type EventViolation =
  | 'a fact is lost'
  | 'an event has two numbers'
  | 'a later revision has the lower number'
  | 'an event has no delivery'
  | 'delivered and not received'
  | 'a delivery waits forever'

/** Facts of one slot, one revision after another, and invocations of one run. */
export interface EventBounds {
  facts: number
  relays: number
  workers: number
}

/** A relay reads a page of the outbox with the later revisions, then the page before it, and then numbers what it found. */
type Relay =
  | { readonly step: 'idle' | 'done' }
  | { readonly step: 'reading'; readonly last: number; readonly found: readonly number[] }
  | { readonly step: 'numbering'; readonly last: number; readonly left: readonly number[] }

/** A worker claims the delivery of a number, sends the event, and stores what came of it. */
type Worker = { readonly step: 'idle' | 'done' } | { readonly step: 'claimed' | 'sent'; readonly number: number }

interface Delivery {
  readonly state: 'pending' | 'claimed' | 'delivered' | 'failed'
  readonly isReceived: boolean
}

interface EventState {
  /** How many facts were written. */
  readonly written: number
  /** The revisions that wait. */
  readonly outbox: readonly number[]
  /** A fact that was written without its event. */
  readonly untold: number | undefined
  /** The revision of each number. */
  readonly log: readonly number[]
  readonly deliveries: readonly (Delivery | undefined)[]
  readonly relays: readonly Relay[]
  readonly workers: readonly Worker[]
}

/**
 * The events of one slot on their way to one endpoint, without some guards. Every invocation may crash after each of its calls: every state may
 * be its last. Time is not in it: a claim may lapse at once.
 */
export function eventProtocol(
  { facts, relays, workers }: EventBounds,
  guards: readonly EventGuard[] = [],
): Model<EventState> {
  const without = new Set(guards)
  const idle = { step: 'idle' } as const
  return {
    initial: {
      ...{ written: 0, outbox: [], untold: undefined, log: [], deliveries: [] },
      relays: Array.from({ length: relays }, () => idle),
      workers: Array.from({ length: workers }, () => idle),
    },
    key: (state) => JSON.stringify(state),
    violation: (state) => violationOf(state, without),
    next(state, visit) {
      write(state, facts, without, visit)
      state.relays.forEach((relay, index) => {
        stepRelay(state, { index, relay }, without, visit)
      })
      state.workers.forEach((worker, index) => {
        stepWorker(state, { index, worker }, without, visit)
      })
    },
  }
}

function violationOf(state: EventState, without: ReadonlySet<EventGuard>): EventViolation | undefined {
  const { written, outbox, untold, log, deliveries, workers } = state
  const known = new Set([...outbox, ...log])
  const facts = Array.from({ length: written }, (_, index) => index + 1)
  // A crash may follow at once: what is written later, is not written.
  if (facts.some((revision) => !known.has(revision)) || untold !== undefined) return 'a fact is lost'
  if (new Set(log).size < log.length) return 'an event has two numbers'
  if (log.some((revision, index) => index > 0 && revision < at(log, index - 1)))
    return 'a later revision has the lower number'
  if (log.some((_, index) => deliveries[index] === undefined)) return 'an event has no delivery'
  if (deliveries.some((one) => one?.state === 'delivered' && !one.isReceived)) return 'delivered and not received'
  const isHeld = (number: number) => workers.some((worker) => 'number' in worker && worker.number === number)
  const isStuck = deliveries.some((one, number) => one?.state === 'claimed' && !isHeld(number))
  return isStuck && without.has('a claim lapses') ? 'a delivery waits forever' : undefined
}

/** Writes the next fact. Its event is in the same transaction. */
function write(state: EventState, facts: number, without: ReadonlySet<EventGuard>, visit: Visit<EventState>): void {
  const revision = state.written + 1
  if (revision > facts) return
  const isApart = without.has('the event is in the transaction of its fact')
  const event = isApart ? { untold: revision } : { outbox: [...state.outbox, revision] }
  visit(`fact ${revision} is written`, { ...state, written: revision, ...event })
}

function stepRelay(
  state: EventState,
  { index, relay }: { index: number; relay: Relay },
  without: ReadonlySet<EventGuard>,
  visit: Visit<EventState>,
): void {
  const { outbox, log, deliveries } = state
  const to = (label: string, next: Relay, change: Partial<EventState> = {}) =>
    visit(`relay ${index} ${label}`, { ...state, ...change, relays: state.relays.with(index, next) })
  const isAscending = without.has('later revisions are read first')
  const isFirst = (revision: number) => (isAscending ? revision === 1 : revision > 1)

  if (relay.step === 'idle') to('reads a page', { step: 'reading', last: log.length, found: outbox.filter(isFirst) })
  if (relay.step === 'reading') {
    const found = [...relay.found, ...outbox.filter((revision) => !isFirst(revision))]
    to('reads the other page', {
      step: 'numbering',
      last: relay.last,
      left: found.toSorted((one, other) => one - other),
    })
  }
  if (relay.step !== 'numbering') return
  const { last } = relay
  const [revision, ...left] = relay.left
  if (revision === undefined) {
    to('ends', { step: 'done' })
    return
  }
  const isTaken = log.length !== last && !without.has('a number is given only after the number that was read')
  if (isTaken || !outbox.includes(revision)) {
    to('is overtaken, and reads again', { step: 'idle' })
    return
  }
  const made = without.has('the delivery is in the transaction of the number')
    ? undefined
    : ({ state: 'pending', isReceived: false } as const)
  to(
    `numbers revision ${revision}`,
    { step: 'numbering', last: last + 1, left },
    {
      outbox: outbox.filter((one) => one !== revision),
      log: [...log.slice(0, last), revision, ...log.slice(last + 1)],
      deliveries: [...deliveries.slice(0, last), made, ...deliveries.slice(last + 1)],
    },
  )
}

function stepWorker(
  state: EventState,
  { index, worker }: { index: number; worker: Worker },
  without: ReadonlySet<EventGuard>,
  visit: Visit<EventState>,
): void {
  const { deliveries } = state
  const to = (label: string, next: Worker, change: Partial<EventState> = {}) =>
    visit(`worker ${index} ${label}`, { ...state, ...change, workers: state.workers.with(index, next) })
  const put = (number: number, change: Partial<Delivery>) => {
    const delivery = deliveries[number]
    return { deliveries: delivery ? deliveries.with(number, { ...delivery, ...change }) : deliveries }
  }

  if (worker.step === 'idle') {
    deliveries.forEach((delivery, number) => {
      // Its lease may be over.
      const isDue = delivery?.state === 'pending' || (delivery?.state === 'claimed' && !without.has('a claim lapses'))
      if (isDue) to(`claims ${number}`, { step: 'claimed', number }, put(number, { state: 'claimed' }))
    })
  }
  if (worker.step === 'claimed') {
    const { number } = worker
    to('crashes', { step: 'done' })
    if (without.has('delivered is stored after the answer'))
      to(`stores ${number} and sends it`, { step: 'done' }, put(number, { state: 'delivered' }))
    to(`sends ${number}`, { step: 'sent', number }, put(number, { isReceived: true }))
    to(`gives ${number} up`, { step: 'idle' }, put(number, { state: 'failed' }))
  }
  if (worker.step === 'sent') {
    to('crashes', { step: 'done' })
    to(`stores ${worker.number}`, { step: 'idle' }, put(worker.number, { state: 'delivered' }))
  }
}
