import type { Caller } from '../../core/identity.ts'
import type { AuditEntry } from '../../organizations/ports.ts'
import type { Delivery, DeliveryStatus, Endpoint, EndpointListing, EndpointName, EndpointOwner } from '../ports.ts'

/** An owner's change of an endpoint of their organization, with its entry in the audit log. */
export interface OwnersWrite {
  readonly by: Caller
  readonly entry: AuditEntry
}

/**
 * Endpoints and their secrets, which are passed encrypted. Reads are consistent. A write of an owner is a transaction with its audit entry, while
 * `by` is an owner with a live grant; the operator's endpoints are written without both. `conflict`: read again. Throws CommonError
 * `service_unavailable`.
 */
export interface Endpoints extends EndpointListing {
  find(owner: EndpointOwner, id: string): Promise<Endpoint | undefined>
  /** `exists`: an endpoint with this id exists, and stays as it is. `too_many`: the owner has `MAX_ENDPOINTS`. */
  create(
    endpoint: Endpoint,
    secret: string,
    write?: OwnersWrite,
  ): Promise<'written' | 'conflict' | 'exists' | 'too_many'>
  /**
   * Writes the members of `next` that differ. If the URL does, or if the endpoint is enabled, what is known of failures is forgotten.
   * `conflict` also if it was enabled or disabled since `before` was read, or no longer exists.
   */
  change(before: Endpoint, next: Endpoint, write?: OwnersWrite): Promise<'written' | 'conflict'>
  /** Replaces the secret; the former secret signs too until `previousUntil` (Unix milliseconds). `conflict` also if the endpoint no longer exists. */
  rotate(
    endpoint: EndpointName,
    rotation: { readonly secret: string; readonly previousUntil: number },
    write?: OwnersWrite,
  ): Promise<'written' | 'conflict'>
  /** What is pending at the endpoint fails when it is due. `conflict` also if the endpoint no longer exists. */
  delete(endpoint: EndpointName, write?: OwnersWrite): Promise<'written' | 'conflict'>
}

/** What finds a delivery within its endpoint. */
export type DeliveryId = Pick<Delivery, 'endpointId' | 'id'>

/** Which deliveries are listed. `now` is Unix milliseconds. */
export interface DeliveryPageRequest {
  readonly limit: number
  readonly after?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly now: number
}

/** Deliveries, newest first. `next` is the start of the next page, absent on the last page. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[]
  readonly next?: string
}

/**
 * The deliveries of an endpoint. Reads are consistent and end 30 days ago. Writes are made while `by`, if given, is an owner with a live grant, and
 * only if the endpoint is enabled; else `conflict`: read again. Throws CommonError `service_unavailable`.
 */
export interface EndpointDeliveries {
  /** With `status` a page may be short, or empty, although there is a next page. */
  list(endpointId: string, page: DeliveryPageRequest): Promise<DeliveryPage>
  find(delivery: DeliveryId, now: number): Promise<Delivery | undefined>
  /** Stores a delivery, which is then made. */
  add(delivery: Delivery, by?: Caller): Promise<'written' | 'conflict'>
  /** Makes a delivery due at `now`, with its tries from the beginning. `conflict` also if it no longer exists. */
  resend(
    delivery: DeliveryId,
    now: number,
    of: { readonly owner: EndpointOwner; readonly by?: Caller },
  ): Promise<'written' | 'conflict'>
}
