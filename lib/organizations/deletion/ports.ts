import type { Deletion, DueDeletion } from '../../core/deletion.ts'
import type { Caller } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import type { AuditEntry, Membership, Organization } from '../ports.ts'

/** A request by an owner with a live grant to delete or restore the organization. */
interface DeletionRequest {
  readonly by: Caller
  readonly deletion: Deletion
  readonly entry: AuditEntry
}

/**
 * Deletions of organizations. Each write is one conditional transaction with its entry and is safe to repeat. Throws CommonError
 * `service_unavailable` if the store is unavailable.
 */
export interface OrganizationDeletions {
  /** The products whose slot is held by a subscription or a purchase; consistent. */
  listHeld(organizationId: OrganizationId): Promise<string[]>
  /**
   * Schedules the erasure if every slot is free and no other deletion is scheduled. Purchases are claimed only if no deletion is scheduled:
   * of a purchase and a deletion at most one is written.
   */
  schedule(organizationId: OrganizationId, request: DeletionRequest): Promise<'written' | 'conflict'>
  /** Restores the organization if its erasure has not begun. */
  restore(organizationId: OrganizationId, request: DeletionRequest): Promise<'written' | 'conflict'>
  /** Lists every step that is due at `now`, earliest first. */
  listDue(now: number): Promise<DueDeletion<OrganizationId>[]>
  /** Forgets a step. */
  dismiss(due: DueDeletion<OrganizationId>): Promise<void>
  find(organizationId: OrganizationId): Promise<Organization | undefined>
  listMembers(organizationId: OrganizationId): Promise<Membership[]>
  /** After this the deletion cannot be undone. `begun` also if it had begun before. `held`: a slot is not free, which should not happen. */
  begin(organizationId: OrganizationId, deletion: Deletion, now: number): Promise<'begun' | 'not_due' | 'held'>
  /** Erases the invitations, used or not, and everything else stored under the organization except members, slots and the organization. */
  eraseBelongings(organizationId: OrganizationId): Promise<void>
  /** Erases a membership, even an owner's. */
  eraseMember(organizationId: OrganizationId, member: Membership): Promise<void>
  /**
   * Erases the API clients; their tokens are refused from then on. Call it after the owners are erased, because owners create API clients.
   */
  eraseApiClients(organizationId: OrganizationId): Promise<void>
  /**
   * Lets the webhook endpoints expire six days after `now`: until then they hear that the organization is deleted. Call it after the owners are
   * erased, because owners create endpoints.
   */
  expireEndpoints(organizationId: OrganizationId, now: number): Promise<void>
  /** Erases the organization and removes its deletion, if its erasure has begun. Its slots stay: they contain only ids. */
  eraseOrganization(organizationId: OrganizationId, deletion: Deletion, entry: AuditEntry): Promise<void>
}

/** The organization's customer at the gateway. */
export interface CustomerErasure {
  /**
   * Deletes the customer; the gateway keeps the invoices with the details that the law requires. Also succeeds if there is no customer.
   * @throws BillingError `gateway_unavailable` if the outcome is unknown, or if a subscription of the customer has not ended: deleting the
   *   customer would cancel it
   */
  eraseCustomer(organizationId: OrganizationId): Promise<void>
}
