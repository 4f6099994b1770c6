import type { ServedEndpoint, WebhookRequest } from '../../../lib/events/delivery/ports.ts'
import type { StoredEvent } from '../../../lib/events/event.ts'
import type { Delivery } from '../../../lib/events/ports.ts'

/** How a run of the story ended. */
interface Rest {
  /** The ids of the events of all facts: the first and the third are of one subject. */
  readonly facts: readonly string[]
  readonly events: readonly StoredEvent[]
  /** How many events have no number. */
  readonly waiting: number
  readonly deliveries: readonly Delivery[]
  readonly endpoints: readonly ServedEndpoint[]
  readonly received: readonly WebhookRequest[]
  /** Ids of endpoints whose owners are told. */
  readonly notices: readonly string[]
  /** How many calls failed. */
  readonly faults: number
}

/** What is wrong at rest, in words; nothing if every rule holds. */
export function brokenRules(rest: Rest): string[] {
  return [...brokenEvents(rest), ...rest.endpoints.flatMap((endpoint) => brokenDeliveries(rest, endpoint))]
}

/** Each fact has one event; numbers have no gap, and revisions of a subject follow each other. */
function brokenEvents({ facts, events, waiting }: Rest): string[] {
  const ids = events.map(({ id }) => id)
  const numbers = events.map(({ sequence }) => sequence)
  const [first = '', , third = ''] = facts
  return [
    ...(areSame(ids, facts) ? [] : [`${ids.length} events of ${facts.length} facts`]),
    ...(numbers.every((number, index) => number === index + 1) ? [] : [`events have the numbers ${numbers}`]),
    ...(ids.indexOf(first) < ids.indexOf(third) ? [] : ['a later revision has the lower number']),
    ...(waiting === 0 ? [] : [`${waiting} events wait`]),
  ]
}

/** The endpoint has one delivery of each event: delivered, or listed as failed if it never answers. Then it is disabled, and its owners know. */
function brokenDeliveries(rest: Rest, { id, url, enabled, disabledReason }: ServedEndpoint): string[] {
  const { deliveries, events, received, notices, faults } = rest
  const own = deliveries.filter(({ endpointId }) => endpointId === id)
  const isDead = url.includes('dead')
  const state = `${enabled} ${disabledReason} ${notices.filter((each) => each === id).length}`
  const ids = events.map((event) => event.id)
  return [
    ...(areSame(
      own.map(({ eventId }) => eventId),
      ids,
    )
      ? []
      : [`${url} has ${own.length} deliveries of ${ids.length} events`]),
    ...own.flatMap(({ status, eventId }) =>
      status === (isDead ? 'failed' : 'delivered') ? [] : [`${url}: ${eventId} is ${status}`],
    ),
    ...(state === (isDead ? 'false failing 1' : 'true null 0') ? [] : [`${url} is ${state}`]),
    ...events.flatMap((event) => {
      const got = received.filter((request) => request.url === url && request.headers['webhook-id'] === event.id)
      const isWhole = got.length > 0 && got.every(({ body }) => body === event.body)
      const isTooOften = url.includes('sound') && got.length > 1 + faults
      return isWhole && !isTooOften ? [] : [`${url} got ${event.id} ${got.length} times`]
    }),
  ]
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join() === others.toSorted().join()
}
