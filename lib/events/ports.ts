import type { OrganizationId } from '../core/ids.ts'
import type { EventDraft, StoredEvent } from './event.ts'
import type { EventType, FactType } from './eventTypes.ts'

/** Whose events an endpoint hears: an organization's, or every organization's if the operator owns it. */
export type EndpointOwner = OrganizationId | 'operator'

/** Why the service disabled an endpoint: it answered 410, or five days went by with failures and no success. */
export type DisabledReason = 'gone' | 'failing'

/** A URL that events are sent to. */
export interface Endpoint {
  readonly owner: EndpointOwner
  /** A UUID. */
  readonly id: string
  readonly url: string
  readonly description: string
  /** The types that it hears; null for all. */
  readonly eventTypes: readonly EventType[] | null
  readonly enabled: boolean
  readonly disabledReason: DisabledReason | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** What finds an endpoint. */
export type EndpointName = Pick<Endpoint, 'owner' | 'id'>

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** A try to deliver. `error` says in one word why there was no answer; then there is no status and no body. Times are Unix milliseconds. */
export interface DeliveryAttempt {
  readonly at: number
  readonly responseStatus: number | null
  /** The first KB of the answer. */
  readonly responseBody: string | null
  readonly error: string | null
}

/** An event on its way to one endpoint. Times are Unix milliseconds. */
export interface Delivery {
  /** A UUID. */
  readonly id: string
  readonly endpointId: string
  readonly owner: EndpointOwner
  readonly eventId: string
  readonly eventType: EventType
  /** Where the event's body is: with the stored event, or here if the event is in no list. */
  readonly event: Pick<StoredEvent, 'organizationId' | 'sequence'> | { readonly body: string }
  readonly createdAt: number
  readonly status: DeliveryStatus
  /** How often it was tried. */
  readonly attempts: number
  readonly firstAttemptAt: number | null
  readonly nextAttemptAt: number | null
  readonly lastAttempt: DeliveryAttempt | null
}

/** Events of an organization, newest first. `next` is the start of the next page, absent on the last page. */
export interface EventPage {
  readonly events: readonly StoredEvent[]
  readonly next?: string
}

/** Which page of the events is read. `now` is Unix milliseconds. */
export interface EventPageRequest {
  readonly limit: number
  readonly after?: string | undefined
  readonly type?: FactType | undefined
  readonly now: number
}

/** The events of the last 30 days. Throws CommonError `service_unavailable`. */
export interface EventLog {
  /** Consistent. With `type` a page may be short, or empty, although there is a next page. */
  list(organizationId: OrganizationId, page: EventPageRequest): Promise<EventPage>
}

/** Events that have no sequence number yet. Throws CommonError `service_unavailable`. */
export interface Outbox {
  /**
   * The events that wait, in the order in which they are numbered, with the last number given. If a revision of a subject is in the answer, so is
   * every earlier revision that still waits.
   */
  read(organizationId: OrganizationId): Promise<{ waiting: readonly EventDraft[]; last: number }>
  /**
   * Numbers an event, makes its deliveries and takes it out of the outbox, all or nothing. `conflict`: it is no longer waiting, or the number is
   * taken; read again.
   */
  relay(event: StoredEvent, draft: EventDraft, deliveries: readonly Delivery[]): Promise<'written' | 'conflict'>
  /** Organizations with an event that has waited since `before` (Unix milliseconds). The index lags behind: read before you act on it. */
  listWaiting(before: number): Promise<OrganizationId[]>
}

/** Endpoints by owner. Throws CommonError `service_unavailable`. */
export interface EndpointListing {
  /** Every endpoint of an owner, consistent, including disabled endpoints. */
  list(owner: EndpointOwner): Promise<Endpoint[]>
}

/** Deliveries that are not settled. Throws CommonError `service_unavailable`. */
export interface PendingDeliveries {
  /** Ends every pending delivery of an endpoint as failed. */
  endAll(endpointId: string): Promise<void>
}

/** Encrypts secrets of endpoints, each for its owner. Throws CommonError `service_unavailable`. */
export interface WebhookSecretCipher {
  /** The ciphertext, as base64. */
  encrypt(owner: EndpointOwner, secret: string): Promise<string>
  decrypt(owner: EndpointOwner, cipher: string): Promise<string>
}
