import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import type { EventDraft, StoredEvent } from '../../events/event.ts'
import type { Delivery, EndpointOwner } from '../../events/ports.ts'
import type { Key } from './kit/readItems.ts'

/** Keys of the table `events`. Numbers have leading zeros, so that keys sort as numbers do. */

/** The partition of an owner's endpoints and, for an organization, of its events. */
export function ownerPartition(owner: EndpointOwner): string {
  return owner === 'operator' ? 'OPERATOR' : `ORG#${owner}`
}

/** The organization of a partition. Throws if the partition is the operator's. */
export function organizationOfPartition(pk: string): OrganizationId {
  return organizationIdSchema.parse(pk.slice('ORG#'.length))
}

/** What sort keys of events that wait for their number begin with. */
export const OUTBOX = 'OUTBOX#'

/** Revisions of a subject are next to each other, in order. */
export function outboxKey({
  organizationId,
  subject,
  revision,
  id,
}: Pick<EventDraft, 'organizationId' | 'subject' | 'revision' | 'id'>): Key {
  return { pk: ownerPartition(organizationId), sk: `${OUTBOX}${subject}#${digits(revision, 16)}#${id}` }
}

/** Remembers an event whose fact is kept elsewhere. */
export function onceKey({ organizationId, id }: Pick<EventDraft, 'organizationId' | 'id'>): Key {
  return { pk: ownerPartition(organizationId), sk: `ONCE#${id}` }
}

/** The last sequence number of an organization. */
export function sequenceKey(organizationId: OrganizationId): Key {
  return { pk: ownerPartition(organizationId), sk: 'SEQUENCE' }
}

/** What sort keys of numbered events begin with. */
export const EVENT = 'EVENT#'

export function eventKey({ organizationId, sequence }: Pick<StoredEvent, 'organizationId' | 'sequence'>): Key {
  return { pk: ownerPartition(organizationId), sk: `${EVENT}${digits(sequence, 12)}` }
}

/** What sort keys of endpoints begin with. */
export const ENDPOINT = 'ENDPOINT#'

export function endpointKey(owner: EndpointOwner, id: string): Key {
  return { pk: ownerPartition(owner), sk: `${ENDPOINT}${id}` }
}

/** How many endpoints an owner has. */
export function endpointCountKey(owner: EndpointOwner): Key {
  return { pk: ownerPartition(owner), sk: 'ENDPOINTS' }
}

/** What sort keys of deliveries begin with. */
export const DELIVERY = 'DELIVERY#'

/** The partition of an endpoint's deliveries. */
export function deliveryPartition(endpointId: string): string {
  return `${ENDPOINT}${endpointId}`
}

/** Deliveries of an endpoint are ordered by the time when they were made. */
export function deliveryKey({ endpointId, createdAt, id }: Pick<Delivery, 'endpointId' | 'createdAt' | 'id'>): Key {
  return { pk: deliveryPartition(endpointId), sk: `${DELIVERY}${digits(createdAt, 14)}#${id}` }
}

/** A notice to the owners of an endpoint. */
export function noticeKey(endpointId: string, at: number): Key {
  return { pk: NOTICES, sk: `${digits(at, 14)}#${endpointId}` }
}

/** The partition of notices: a consistent query finds them. */
export const NOTICES = 'NOTICE'

function digits(value: number, count: number): string {
  return `${value}`.padStart(count, '0')
}
