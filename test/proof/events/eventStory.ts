import { CommonError } from '../../../lib/core/errors.ts'
import type { DeliverDeps } from '../../../lib/events/delivery/deliver.ts'
import type { SendResult, ServedEndpoint, WebhookRequest } from '../../../lib/events/delivery/ports.ts'
import { runDeliveries } from '../../../lib/events/delivery/runDeliveries.ts'
import { type EventDraft, eventIdOf } from '../../../lib/events/event.ts'
import { relayBatch, relayWaiting } from '../../../lib/events/relay/relayRuns.ts'
import { endpointOf, made, organizationId, uuid } from '../../events/delivery/fixtures.ts'
import { createDeliveriesInMemory } from '../../events/delivery/inMemoryDeliveries.ts'
import { createOutboxInMemory } from '../../events/inMemoryOutbox.ts'
import { createEventGate, type EventFault } from './eventFaults.ts'
import { brokenRules } from './eventRules.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** What an organization's facts become, in this order: a subject and its revision. */
const facts = [
  ['ota', 1],
  ['monitoring', 1],
  ['ota', 2],
] as const

/** An endpoint that answers, one that answers from the third try on, and one that never does. */
const endpoints: readonly ServedEndpoint[] = [
  endpointOf({ id: uuid(1), url: 'https://sound.example' }),
  endpointOf({ id: uuid(2), url: 'https://wavering.example' }),
  endpointOf({ id: uuid(3), url: 'https://dead.example' }),
]

function idOf(subject: string, revision: number): string {
  return eventIdOf('entitlement.changed', organizationId, `${subject} ${revision}`)
}

export interface EventRun {
  /** The awaits of the first request and of the stream that follows it; the minutes come later. */
  readonly firstAwaits: readonly string[]
  readonly awaits: readonly string[]
  /** What is wrong in the end. */
  readonly broken: readonly string[]
}

/**
 * Commits facts, each with its event; the stream relays and delivers them; then a run each minute, later some a day, until the sixth day. Calls
 * fail as `faults` says.
 */
export async function playEvents(faults: readonly EventFault[]): Promise<EventRun> {
  let now = made
  const waiting: EventDraft[] = []
  const memory = createOutboxInMemory(waiting)
  const store = createDeliveriesInMemory()
  const received: WebhookRequest[] = []
  const committed = new Map<string, number>()
  for (const endpoint of endpoints) await store.putEndpoint(endpoint)

  const gate = createEventGate({
    faults,
    unavailable: () => new CommonError('service_unavailable'),
    delay() {
      now += 46_000
    },
    overtake: minute,
  })

  /** The transaction of a fact: its revision is the condition, and its event is in it. */
  const records = {
    async commit(subject: string, revision: number): Promise<void> {
      if ((committed.get(subject) ?? 0) !== revision - 1) return
      committed.set(subject, revision)
      const id = idOf(subject, revision)
      waiting.push({ organizationId, id, type: 'entitlement.changed', at: now, subject, revision, data: { revision } })
    },
  }
  const outbox = {
    ...memory.outbox,
    async relay(...[event, draft, deliveries]: Parameters<typeof memory.outbox.relay>) {
      const outcome = await memory.outbox.relay(event, draft, deliveries)
      if (outcome === 'conflict') return outcome
      await store.putEvent(event)
      for (const delivery of deliveries) await store.putDelivery(delivery)
      return outcome
    },
  }
  const listing = { list: async (owner: ServedEndpoint['owner']) => (owner === 'operator' ? [] : storedEndpoints()) }
  const server = {
    async send(request: WebhookRequest): Promise<SendResult> {
      received.push(request)
      const tries = received.filter(({ url, body }) => url === request.url && body === request.body).length
      const isRefused = request.url.includes('dead') || (request.url.includes('wavering') && tries < 3)
      return { kind: 'answered', status: isRefused ? 500 : 204, body: '' }
    },
  }

  async function storedEndpoints(): Promise<ServedEndpoint[]> {
    const all = await Promise.all(endpoints.map(({ id }) => store.findEndpoint(id)))
    return all.filter((endpoint) => endpoint !== undefined)
  }

  const common = {
    ids: { uuid: () => uuid(1000 + memory.deliveries.length) },
    clock: { now: () => now, sync: async () => {} },
    logger: { info() {}, warn() {}, error() {} },
  }

  /** The dependencies of one invocation. */
  function open() {
    const invocation = { hasCrashed: false }
    const gated = <Port extends object>(port: Port, name: string) => gate.gated(port, name, invocation)
    const queue = gated(store, 'queue')
    let made = 0
    const deliver: DeliverDeps = {
      ...common,
      queue,
      pending: queue,
      cipher: gated({ decrypt: async (owner: string, text: string) => `${owner} ${text}` }, 'cipher'),
      sign: ({ id, body }, secrets) => `${secrets.join()} ${id} ${body}`,
      // A sender answers that it failed, and never throws; only the invocation can end.
      send: (request) => {
        const sender = gated(server, 'server')
        return sender.send(request).catch((error: unknown): SendResult => {
          if (invocation.hasCrashed) throw error
          return { kind: 'not_answered', fault: 'timeout' }
        })
      },
      random: () => 0.5,
    }
    return {
      records: gated(records, 'records'),
      relay: {
        ...common,
        outbox: gated(outbox, 'outbox'),
        endpoints: gated(listing, 'endpoints'),
        ids: { uuid: () => uuid(1000 + 10 * memory.deliveries.length + made++) },
      },
      deliver: {
        ...deliver,
        pause: async (milliseconds: number) => {
          now += milliseconds
        },
      },
    }
  }

  async function invoke(act: (deps: ReturnType<typeof open>) => Promise<unknown>): Promise<void> {
    await act(open()).catch(() => {})
  }

  async function minute(): Promise<void> {
    await invoke(({ relay }) => relayWaiting(relay, now + MINUTE))
    await invoke(async ({ deliver }) => {
      await runDeliveries(deliver, await deliver.queue.listDue(now), { source: 'schedule', finishBy: now + MINUTE })
    })
  }

  for (const [subject, revision] of facts) {
    // The caller repeats a request that failed, more often than calls fail in a run.
    for (let tries = 0; tries < 3; tries += 1) await invoke(({ records: own }) => own.commit(subject, revision))
    now += 10
  }
  await invoke(({ relay }) => relayBatch(relay, [{ id: '1', organizationId }], now + MINUTE))
  const due = await store.listDue(now)
  await invoke(({ deliver }) => runDeliveries(deliver, due, { source: 'stream', finishBy: now + MINUTE }))
  const firstAwaits = [...gate.awaits]
  for (let run = 0; run < 10; run += 1, now += MINUTE) await minute()
  for (; now < made + 6 * 24 * HOUR; now += 4 * HOUR) await minute()

  const stored = await Promise.all(memory.deliveries.map((delivery) => store.findDelivery(delivery)))
  const broken = brokenRules({
    facts: facts.map(([subject, revision]) => idOf(subject, revision)),
    events: memory.events,
    waiting: waiting.length,
    deliveries: stored.filter((delivery) => delivery !== undefined),
    endpoints: await storedEndpoints(),
    received,
    notices: await store.notices(),
    faults: faults.length,
  })
  return { firstAwaits, awaits: gate.awaits, broken }
}
