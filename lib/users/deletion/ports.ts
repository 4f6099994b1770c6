import type { Deletion, DueDeletion } from '../../core/deletion.ts'
import type { Caller } from '../../core/identity.ts'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { AuditEntry, Role } from '../../organizations/ports.ts'
import type { Account, AccountDeletion, LinkOutcome, LinkUse } from '../ports.ts'

/** An organization of the caller, with what decides whether the account may be deleted. */
export interface OwnPlace {
  readonly organizationId: OrganizationId
  readonly role: Role
  readonly owners: number
  /** How many users have joined by invitation: it changes when another member joins. */
  readonly joined: number
  readonly isBeingDeleted: boolean
  readonly hasOtherMembers: boolean
  /** Whether the user enforced the organization's single sign-on, and is not bound by it. */
  readonly isBreakGlass: boolean
  /** Whether a product's slot is held, by a subscription or a purchase. */
  readonly isSubscribed: boolean
}

/** An organization that changes with the deletion, and what its audit log says of that. */
export interface PlannedPlace extends OwnPlace {
  readonly entry: AuditEntry
}

/** What happens to the caller's organizations when the account is deleted. */
export interface PlacePlan {
  /** Deleted with the account: the user is their only member. */
  readonly erased: readonly PlannedPlace[]
  /** They have other owners: the user becomes a billing admin. */
  readonly handedOver: readonly PlannedPlace[]
}

/** A user's place in an organization when the account is erased. */
export interface Place {
  readonly organizationId: OrganizationId
  readonly role: Role
}

/**
 * Deletions of accounts. Each write is one conditional transaction and is safe to repeat. Throws CommonError `invalid_token` if the
 * caller's grant has ended, `service_unavailable` if the store is unavailable.
 */
export interface AccountDeletions {
  /** Reads the caller's account and organizations consistently. */
  read(caller: Caller): Promise<{ account: Account; places: OwnPlace[] }>
  /**
   * Switches the account off, ends every grant, and schedules the erasure of the account and of `plan.erased`. `conflict`: the read state
   * has changed; nothing was written.
   */
  schedule(account: Account, deletion: AccountDeletion, plan: PlacePlan): Promise<'written' | 'conflict'>
  /**
   * Uses the link and restores the account and the organizations that were deleted with it, if the account is at the link's revision and
   * its erasure has not begun. Ended grants stay ended.
   */
  restore(use: LinkUse, deletion: AccountDeletion, entries: readonly AuditEntry[]): Promise<LinkOutcome>
  /** Lists every step that is due at `now`, earliest first. */
  listDue(now: number): Promise<DueDeletion<UserId>[]>
  /** Forgets a step. */
  dismiss(due: DueDeletion<UserId>): Promise<void>
  /**
   * After this the deletion cannot be undone. `begun` also if it had begun before; `not_due` before `eraseAfter`, or if the deletion was
   * undone.
   */
  begin(userId: UserId, deletion: Deletion, now: number): Promise<'begun' | 'not_due'>
  /** Lists the user's places consistently. */
  listPlaces(userId: UserId): Promise<Place[]>
  /**
   * Removes the user from an organization, and remembers it in the deletion. `last_owner`: it has no other owner, and the user stays its owner.
   */
  leave(userId: UserId, place: Place, entry: AuditEntry): Promise<'written' | 'last_owner' | 'conflict'>
  /** Erases the invitations to an address, used or not. */
  eraseInvitations(email: string): Promise<void>
  /** Erases everything stored under the user except the user. */
  eraseBelongings(userId: UserId): Promise<void>
  /**
   * Erases the user, frees the name and the address, and removes the deletion, if the erasure has begun. Announces it to
   * other systems once for each of these organizations. `at` is Unix milliseconds.
   */
  eraseUser(
    account: Account,
    deletion: Deletion,
    announced: { organizations: readonly OrganizationId[]; at: number },
  ): Promise<void>
}
