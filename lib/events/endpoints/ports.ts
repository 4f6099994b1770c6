import type { Caller } from '../../core/identity.ts'
import type { AuditEntry } from '../../organizations/ports.ts'
import type { Endpoint, EndpointListing, EndpointName, EndpointOwner } from '../ports.ts'

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
  /** What is pending at the endpoint fails when it is due. `conflict` also if the endpoint no longer exists. */
  delete(endpoint: EndpointName, write?: OwnersWrite): Promise<'written' | 'conflict'>
}
