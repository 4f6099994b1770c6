import type { Deletion, DueDeletion } from '../../core/deletion.ts'
import type { Caller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { AuditEntry, Membership, Organization } from '../ports.ts'

/** A request for a deletion, or for taking it back, by an owner whose grant is live. */
interface DeletionRequest {
  readonly by: Caller
  readonly deletion: Deletion
  readonly entry: AuditEntry
}

/**
 * Deletions of organizations. Each write is one transaction with its conditions and its entry, and what is done already stays done when it
 * is asked for again. Throws CommonError `service_unavailable` where the store is unavailable.
 */
export interface OrganizationDeletions {
  /** The products whose slot is held, by a subscription or a purchase; consistent. */
  listHeld(organizationId: OrganizationId): Promise<string[]>
  /**
   * Plans the erasure, while every slot is free and no other deletion is planned. Purchases are claimed only while none is: of a purchase and
   * a deletion at most one is written.
   */
  schedule(organizationId: OrganizationId, request: DeletionRequest): Promise<'written' | 'conflict'>
  /** Takes the deletion back, while its erasure has not begun. */
  restore(organizationId: OrganizationId, request: DeletionRequest): Promise<'written' | 'conflict'>
  /** Every step that is due at `now`, the earliest first. */
  listDue(now: number): Promise<DueDeletion<OrganizationId>[]>
  /** Forgets a step. */
  dismiss(due: DueDeletion<OrganizationId>): Promise<void>
  find(organizationId: OrganizationId): Promise<Organization | undefined>
  listMembers(organizationId: OrganizationId): Promise<Membership[]>
  /** From then on it cannot be undone: `begun` also where it was before. `held`: a slot is not free, which is not to be. */
  begin(organizationId: OrganizationId, deletion: Deletion, now: number): Promise<'begun' | 'not_due' | 'held'>
  /** Erases the invitations, used or not, and what else is kept under the organization but members, slots and itself. */
  eraseBelongings(organizationId: OrganizationId): Promise<void>
  /** Erases a membership, of an owner as well. */
  eraseMember(organizationId: OrganizationId, member: Membership): Promise<void>
  /** Erases the API clients, whose tokens are refused from then on; after the owners, who make them. */
  eraseApiClients(organizationId: OrganizationId): Promise<void>
  /** Erases the organization while its erasure has begun, and forgets the deletion. Its slots stay: they hold ids alone. */
  eraseOrganization(organizationId: OrganizationId, deletion: Deletion, entry: AuditEntry): Promise<void>
}

/** The organization's customer at the gateway. */
export interface CustomerErasure {
  /**
   * Deletes the customer; the gateway keeps the invoices with what the law wants on them. Done also where there is none.
   * @throws BillingError `gateway_unavailable` where it is not known, or the customer has a subscription that has not ended: that would be
   *   canceled with it
   */
  eraseCustomer(organizationId: OrganizationId): Promise<void>
}
