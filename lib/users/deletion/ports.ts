import type { Deletion, DueDeletion } from '../../core/deletion.ts'
import type { Caller } from '../../core/identity.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { AuditEntry, Role } from '../../organizations/ports.ts'
import type { Account, AccountDeletion, LinkOutcome, LinkUse } from '../ports.ts'

/** One of the caller's organizations, as far as it decides whether the account may be deleted. */
export interface OwnPlace {
  readonly organizationId: OrganizationId
  readonly role: Role
  readonly owners: number
  /** How many have joined by invitation: it differs where another member came since. */
  readonly joined: number
  readonly isBeingDeleted: boolean
  readonly hasOtherMembers: boolean
  /** Whether a product's slot is held, by a subscription or a purchase. */
  readonly isSubscribed: boolean
}

/** What becomes of the caller's organizations with the account. */
export interface PlacePlan {
  /** Deleted with the account: the user is their only member. */
  readonly erased: readonly OwnPlace[]
  /** Other owners are left: the user is a billing admin there from now on. */
  readonly handedOver: readonly OwnPlace[]
  /** One for each of both. */
  readonly entries: readonly AuditEntry[]
}

/** A user's place in an organization when the account is erased. */
export interface Place {
  readonly organizationId: OrganizationId
  readonly role: Role
}

/**
 * Deletions of accounts. Each write is one transaction with its conditions, and what is done already stays done when it is asked for
 * again. Throws CommonError `invalid_token` where the caller's grant has ended, `service_unavailable` where the store is unavailable.
 */
export interface AccountDeletions {
  /** The caller's account and organizations, consistent. */
  read(caller: Caller): Promise<{ account: Account; places: OwnPlace[] }>
  /**
   * Switches the account off, ends every grant, and plans the erasure of it and of `plan.erased`. `conflict`: something is not as it was
   * read, and nothing was written.
   */
  schedule(account: Account, deletion: AccountDeletion, plan: PlacePlan): Promise<'written' | 'conflict'>
  /**
   * Uses the link, and takes the deletion back with that of the organizations that it took along, while the account is at the link's
   * revision and its erasure has not begun. Every grant stays ended.
   */
  restore(use: LinkUse, deletion: AccountDeletion, entries: readonly AuditEntry[]): Promise<LinkOutcome>
  /** Every step that is due at `now`, the earliest first. */
  listDue(now: number): Promise<DueDeletion<UserId>[]>
  /** Forgets a step. */
  dismiss(due: DueDeletion<UserId>): Promise<void>
  /** From then on it cannot be undone: `begun` also where it was before. Only at `eraseAfter` or later, and of a deletion that was not undone. */
  begin(userId: UserId, deletion: Deletion, now: number): Promise<'begun' | 'not_due'>
  /** The user's places, consistent. */
  listPlaces(userId: UserId): Promise<Place[]>
  /** Removes the user from an organization. `last_owner`: it has no other owner, and the user stays listed. */
  leave(userId: UserId, place: Place, entry: AuditEntry): Promise<'written' | 'last_owner' | 'conflict'>
  /** Erases the invitations to an address, used or not. */
  eraseInvitations(email: string): Promise<void>
  /** Erases everything that is kept under the user but the user. */
  eraseBelongings(userId: UserId): Promise<void>
  /** Erases the user, and frees the name and the address, while the erasure has begun; and forgets the deletion. */
  eraseUser(account: Account, deletion: Deletion): Promise<void>
}
