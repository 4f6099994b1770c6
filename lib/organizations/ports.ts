import * as z from 'zod/mini'
import type { Deletion } from '../core/deletion.ts'
import type { Caller, Principal } from '../core/identity.ts'
import type { ApiClientId, OrganizationId, PrincipalId, UserId } from '../core/ids.ts'
import type { ResourceScope } from '../core/scopes.ts'
import type { Account, AccountDeletion, User } from '../users/ports.ts'

/** A member has one role; `permissions.ts` says what each may do. */
export const roleSchema = z.enum(['owner', 'billing_admin', 'member']).register(z.globalRegistry, { id: 'Role' })
export type Role = z.infer<typeof roleSchema>

/** A user's place in an organization, as stored. */
export interface Membership {
  userId: UserId
  role: Role
}

export interface Organization {
  id: OrganizationId
  name: string
  /** RFC 3339. */
  createdAt: string
  /** While it is being deleted. */
  deletion?: Deletion
}

/** An organization with the caller's role in it. */
export interface OwnOrganization {
  organization: Organization
  role: Role
}

/** An organization and the roles of some users in it, and of the API client that reads it, from one consistent read. Undefined: not found, or not a member. */
export interface MembershipView {
  organization: Organization | undefined
  roleOf(principalId: PrincipalId): Role | undefined
}

/** Changes a member's role, or removes them with null. Written only while the stored role is `from`. */
export interface RoleChange {
  userId: UserId
  from: Role
  to: Role | null
}

/** An open invitation. An organization has at most one per address; only a digest of its token is stored. */
export interface Invitation {
  organizationId: OrganizationId
  /** Unique in the organization: the SHA-256 of the address's key, so that a new invitation replaces the old one. */
  id: string
  /** As the inviter wrote it. */
  email: string
  role: Role
  tokenDigest: string
  invitedBy: UserId
  /** Unix milliseconds. */
  validUntil: number
}

/** `client`: an API client of the organization; `gateway`: the payment gateway by itself; `system`: this service by itself. */
export const auditActorTypeSchema = z.enum(['user', 'client', 'gateway', 'system', 'operator'])

/** Who made a change: a user or a client by its id; null for the others. */
export interface AuditActor {
  type: z.infer<typeof auditActorTypeSchema>
  id: string | null
}

/** What was changed, in the words of the resource and the past. Others may have been written by another version. */
export type AuditAction =
  | `organization.${'created' | 'renamed' | 'transferred' | 'gateway_changed' | 'deletion_scheduled' | 'restored' | 'erased'}`
  | `member.${'invited' | 'joined' | 'role_changed' | 'removed' | 'left' | 'factors_reset_approved'}`
  | 'invitation.revoked'
  | `subscription.${'purchased' | 'renewed' | 'status_changed' | 'cancellation_scheduled' | 'resumed' | 'canceled'}`
  | `subscription.${'adopted' | 'released' | 'refunded'}`
  | `api_client.${'created' | 'rotated' | 'scopes_changed' | 'deleted'}`
  | `payment_method.${'default_changed' | 'removed'}`
  | 'details.changed'
  | `user.${'suspended' | 'restored' | 'signed_out'}`

/** One change of an organization, as it is kept: written in the transaction that makes the change, and never again. */
export interface AuditEntry {
  organizationId: OrganizationId
  /** A UUID. */
  id: string
  /** Unix milliseconds. */
  at: number
  actor: AuditActor
  action: AuditAction
  /** The id of what was changed: of a user or an organization, an invitation or a card; of a subscription its product. */
  target: string
  /** Values that the change had; never a secret, an address, a card's number or the gateway's customer. */
  detail: Readonly<Record<string, string | number | null | string[]>>
}

/** An entry as it is read. */
export type StoredAuditEntry = Omit<AuditEntry, 'action'> & { action: string }

/** Entries, newest first; `next` is where the following page begins, absent on the last one. */
export interface AuditPage {
  entries: readonly StoredAuditEntry[]
  next?: string
}

/** The audit log of organizations. Throws CommonError `service_unavailable`. */
export interface AuditLog {
  /** A page of an organization's entries of the last 400 days, consistent. `now` is Unix milliseconds. */
  list(
    organizationId: OrganizationId,
    page: { limit: number; after?: string | undefined; now: number },
  ): Promise<AuditPage>
}

/** `conflict`: what the decision was based on has changed, and nothing was written; read again. */
type WriteOutcome = 'written' | 'conflict'

/**
 * Organizations and their members. Reads are consistent, and read with the grant of their caller. Every write is one transaction with its
 * conditions, among them that `by` is an owner whose grant is live, and the entry of the audit log. Throws CommonError `invalid_token` where
 * the caller's grant has ended, `service_unavailable` when the store is unavailable.
 */
export interface Organizations {
  /** An organization, and the roles of the caller and of some others in it. */
  read(organizationId: OrganizationId, caller: Principal, others?: readonly UserId[]): Promise<MembershipView>
  /** The caller's organizations, unordered: every one of which they are a member by now, and no other. */
  list(caller: Caller): Promise<OwnOrganization[]>
  /** The members of an organization and its invitations, including expired ones, each ordered by id. */
  readMembers(organizationId: OrganizationId): Promise<{ members: Membership[]; invitations: Invitation[] }>
  /** Stores a new organization with its first owner. If the id is taken, writes nothing and returns what the user finds there. */
  create(
    organization: Organization,
    owner: Caller,
    entry: AuditEntry,
  ): Promise<Omit<MembershipView, 'roleOf'> & { role: Role | undefined }>
  /** Renames an organization while its name is `from`. */
  rename(
    organizationId: OrganizationId,
    change: { by: Caller; from: string; to: string; entry: AuditEntry },
  ): Promise<WriteOutcome>
  /**
   * Writes all changes or none. `last_owner`: they would leave the organization without an owner. `member_deleting`: they would make an
   * account an owner that is being deleted.
   */
  changeRoles(
    organizationId: OrganizationId,
    change: { by: Caller; changes: readonly RoleChange[]; entry: AuditEntry },
  ): Promise<WriteOutcome | 'last_owner' | 'member_deleting'>
}

/** An API client of an organization, without its secrets. Times are Unix milliseconds. */
export interface ApiClient {
  organizationId: OrganizationId
  /** A UUID. */
  id: string
  name: string
  scopes: readonly ResourceScope[]
  createdAt: number
  /** Of the last hour at most; undefined where it was never used. */
  lastUsedAt?: number | undefined
  /** Until when the secret before the newest is valid; undefined where it was never rotated. */
  previousSecretUntil?: number | undefined
}

/**
 * The API clients of organizations. Reads are consistent; every write is one transaction with its entry of the audit log, on condition that
 * `by` is an owner whose grant is live (`conflict` where not: read again). Throws CommonError `service_unavailable`. Secrets come as digests.
 */
export interface ApiClients {
  find(organizationId: OrganizationId, id: string): Promise<ApiClient | undefined>
  /** Ordered by id. */
  list(organizationId: OrganizationId): Promise<ApiClient[]>
  /** `exists`: one with this id does, and stays as it is. `too_many`: the organization has `MAX_API_CLIENTS`. */
  create(client: ApiClient, secretDigest: string, write: OwnersWrite): Promise<WriteOutcome | 'exists' | 'too_many'>
  /** Replaces the secret, and keeps the one before until `previousUntil`. `rotating`: there is one before that is valid at `now`. */
  rotate(
    client: Pick<ApiClient, 'organizationId' | 'id'>,
    secret: { digest: string; previousUntil: number; now: number },
    write: OwnersWrite,
  ): Promise<WriteOutcome | 'rotating'>
  /** `conflict` also where there is none by now. */
  delete(client: Pick<ApiClient, 'organizationId' | 'id'>, write: OwnersWrite): Promise<WriteOutcome>
}

interface OwnersWrite {
  by: Caller
  entry: AuditEntry
}

/** An invitation found by its token, with the roles of the user and of the inviter. */
export interface FoundInvitation extends MembershipView {
  /** Undefined once used, revoked, or replaced by a newer one to the same address. */
  invitation: Invitation | undefined
  /** Who used the token. */
  usedBy: UserId | undefined
}

/**
 * Who joins: a user with exactly this email address, verified, whose grant is live; a new user, verified by the invitation's token; or the holder of the
 * token, whose new password ends what the account was before.
 */
export type Joiner =
  | { readonly kind: 'sign_in'; readonly caller: Caller; readonly email: string }
  | { readonly kind: 'register'; readonly user: User; readonly passwordHash: string }
  | { readonly kind: 'claim'; readonly account: Account; readonly passwordHash: string }

/** Invitations, by organization and by token. Reads and writes as `Organizations`: consistent, conditional, transactional. */
export interface Invitations {
  /** Stores an invitation and voids an earlier one to the same address. */
  put(invitation: Invitation, by: Caller, entry: AuditEntry): Promise<WriteOutcome>
  /** Voids an invitation. `written` also if there is none, without an entry. */
  revoke(
    organizationId: OrganizationId,
    invitation: { id: string; by: Caller; entry: AuditEntry },
  ): Promise<WriteOutcome>
  /** Undefined for a token that was never issued, or expired long ago. `roleOf` knows the user, where one is given, and the inviter. */
  find(tokenDigest: string, userId: UserId | undefined): Promise<FoundInvitation | undefined>
  /**
   * Uses the invitation and makes the joiner a member, with the account or password where they are new, in one transaction. Of
   * concurrent callers exactly one gets `written`, and only while the inviter is an owner and the joiner is as given.
   * `username_taken`: nothing was written, and only the name is in the way.
   */
  accept(
    invitation: Invitation,
    joiner: Joiner,
    { now, entry }: { now: number; entry: AuditEntry },
  ): Promise<WriteOutcome | 'username_taken'>
}

/** What an operator changes of an account. `grantsEnd`: every session, code and token of before, for good. */
export interface OperatedAccountChange {
  isActive: boolean
  grantsEnd: boolean
}

/** What operators read and change of accounts. Throws CommonError `service_unavailable`. */
export interface OperatedAccounts {
  /** An account and the organizations of its user, each as it is now. */
  find(userId: UserId): Promise<{ account: Account; organizations: readonly OwnOrganization[] } | undefined>
  /**
   * Changes the account while it is as given, and adds the entries to the audit log, all or nothing for the first 99 of them; what is
   * more is added before. `conflict`: the account has changed; read again.
   */
  change(
    account: Account,
    change: OperatedAccountChange,
    entries: readonly AuditEntry[],
  ): Promise<'changed' | 'conflict'>
  /**
   * Takes a deletion back, with that of the organizations that it took along, and writes the entries as `change` does. Every grant stays
   * ended, and links of mails are void. `conflict` also where its erasure has begun.
   */
  takeDeletionBack(
    account: Account,
    deletion: AccountDeletion,
    entries: readonly AuditEntry[],
  ): Promise<'changed' | 'conflict'>
}

/** What members see of each other. */
export type Profile = Pick<User, 'username' | 'email'>

export interface Profiles {
  /** The profiles of users by id, without deleted ones. Throws CommonError `service_unavailable`. */
  find(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Profile>>
}

/** API clients as an operator changes them: by no user's grant. Throws CommonError `service_unavailable`. */
export interface OperatedApiClients {
  find(clientId: ApiClientId): Promise<ApiClient | undefined>
  /** Writes the scopes with their entry, in one transaction. `conflict`: the client has others than `client` by now, or is gone. */
  changeScopes(client: ApiClient, scopes: readonly ResourceScope[], entry: AuditEntry): Promise<WriteOutcome>
}
