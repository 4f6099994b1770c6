import type { Clock } from '../../core/clock.ts'
import type { Ids, OrganizationId } from '../../core/ids.ts'
import { type EventDraft, eventBody, type StoredEvent } from '../event.ts'
import { newDelivery } from '../newDelivery.ts'
import type { Delivery, Endpoint, EndpointListing, Outbox } from '../ports.ts'

export interface RelayDeps {
  readonly outbox: Outbox
  readonly endpoints: EndpointListing
  readonly ids: Pick<Ids, 'uuid'>
  readonly clock: Clock
}

/** Two relays of an organization take turns at its events; after so many events that another took first, this one leaves it the rest. */
const CONFLICTS = 10

/**
 * Numbers every event of an organization that waits, and makes a delivery for each endpoint that wants it. Endpoints are read after the events, so
 * an endpoint hears all that happens after it was made. Safe to repeat, also at the same time: each event gets one number.
 * @returns how many events this call numbered
 * @throws CommonError `service_unavailable`
 */
export async function relayEvents(deps: RelayDeps, organizationId: OrganizationId): Promise<number> {
  const { outbox } = deps
  let relayed = 0
  for (let conflicts = 0; conflicts < CONFLICTS; conflicts += 1) {
    const { waiting, last } = await outbox.read(organizationId)
    if (waiting.length === 0) return relayed
    const endpoints = await readEndpoints(deps, organizationId)
    const done = await relayInOrder(deps, { waiting, last, endpoints })
    relayed += done
    if (done === waiting.length) return relayed
  }
  return relayed
}

async function readEndpoints({ endpoints }: RelayDeps, organizationId: OrganizationId): Promise<Endpoint[]> {
  const lists = await Promise.all([endpoints.list(organizationId), endpoints.list('operator')])
  return lists.flat()
}

interface Waiting {
  readonly waiting: readonly EventDraft[]
  readonly last: number
  readonly endpoints: readonly Endpoint[]
}

/** Ends at the first event that another relay took. */
async function relayInOrder(deps: RelayDeps, { waiting, last, endpoints }: Waiting): Promise<number> {
  for (const [index, draft] of waiting.entries()) {
    const event = numbered(draft, last + index + 1)
    const wanting = endpoints.filter((endpoint) => wants(endpoint, event))
    const deliveries = wanting.map((endpoint) => deliveryOf(deps, endpoint, event))
    if ((await deps.outbox.relay(event, draft, deliveries)) === 'conflict') return index
  }
  return waiting.length
}

function numbered(draft: EventDraft, sequence: number): StoredEvent {
  const { organizationId, id, type, at } = draft
  return { organizationId, id, type, at, sequence, body: eventBody({ ...draft, sequence }) }
}

function wants({ enabled, eventTypes }: Endpoint, { type }: StoredEvent): boolean {
  return enabled && (eventTypes === null || eventTypes.includes(type))
}

function deliveryOf({ ids, clock }: RelayDeps, endpoint: Endpoint, event: StoredEvent): Delivery {
  const { id: eventId, type: eventType, organizationId, sequence } = event
  return newDelivery(ids, clock.now(), endpoint, { eventId, eventType, event: { organizationId, sequence } })
}
