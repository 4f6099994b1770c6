import { createHash } from 'node:crypto'
import { toRfc3339 } from '../core/clock.ts'
import type { OrganizationId } from '../core/ids.ts'
import type { EventType, FactType } from './eventTypes.ts'

/** A resource as its GET answers it to an owner: what `JSON.stringify` keeps as it is. */
export type EventData = Readonly<Record<string, unknown>>

/** An event before it has a sequence number. It is stored in the transaction that writes its fact. */
export interface EventDraft {
  readonly organizationId: OrganizationId
  /** See `eventIdOf`. */
  readonly id: string
  readonly type: FactType
  /** Unix milliseconds. */
  readonly at: number
  /** What changed, such as a slot. Events of a subject are sent in the order of their revisions; others in the order of their times. */
  readonly subject: string
  /** Rises with each write of the subject. */
  readonly revision: number
  readonly data: EventData
  /** The fact is kept elsewhere and may be seen again: the event's id is remembered, and it is announced only once. */
  readonly once?: true
}

/** An event as it is listed and sent. */
export interface StoredEvent {
  readonly organizationId: OrganizationId
  readonly id: string
  readonly type: FactType
  /** Unix milliseconds. */
  readonly at: number
  /** Counts the events of the organization from 1. */
  readonly sequence: number
  /** The exact bytes that are signed and sent, as text. */
  readonly body: string
}

/** The id of an event, made from its fact: if the same fact is announced twice, both are the same event. */
export function eventIdOf(type: EventType, organizationId: OrganizationId, fact: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([type, organizationId, fact]))
    .digest('hex')
  return `evt_${digest.slice(0, 32)}`
}

/** The body of an event's request, the same for every endpoint and every try. `sequence` is null for `endpoint.test`, and so is the organization for
 * an endpoint of the operator. */
export function eventBody(
  event: Pick<EventDraft, 'id' | 'at' | 'data'> & {
    type: EventType
    organizationId: OrganizationId | null
    sequence: number | null
  },
): string {
  const { id, type, at, organizationId, sequence, data } = event
  return JSON.stringify({ id, type, timestamp: toRfc3339(at), organization_id: organizationId, sequence, data })
}
