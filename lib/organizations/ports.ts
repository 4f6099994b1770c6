import * as z from 'zod/mini'
import type { Deletion } from '../core/deletion.ts'
import type { AnyCaller, Caller } from '../core/identity.ts'
import type { ApiClientId, OrganizationId, PrincipalId, UserId } from '../core/ids.ts'
import type { Language } from '../core/language.ts'
import type { ResourceScope } from '../core/scopes.ts'
import { named } from '../http/schema.ts'
import type { Account, AccountDeletion, User } from '../users/ports.ts'
import type { AuditDone } from './auditActions.ts'

export type { AuditDone }

/** A member has one role; `permissions.ts` says what each may do. */
export const roleSchema = named('Role', z.enum(['owner', 'billing_admin', 'member']))
export type Role = z.infer<typeof roleSchema>

/** A user's membership in an organization, as stored. */
export interface Membership {
  userId: UserId
  role: Role
}

/** A limit that an operator has put on all requests of an organization's members and API clients together. It ends by itself. */
export interface Throttle {
  readonly requestsPerMinute: number
  /** Unix milliseconds. */
  readonly until: number
}

/** How the members of an organization must be signed in, by the decision of its owners. A rule that is left out does not exist. */
export interface SignInRules {
  /** From then on members need a second factor: Unix milliseconds. */
  readonly secondFactorFrom?: number
  /** How many days old a sign-in may be. */
  readonly maxSessionDays?: number
  /** After a pause of that many hours, a session no longer counts. */
  readonly idleHours?: number
  /** The ids of the third-party clients that may act here; left out: all. */
  readonly allowedClients?: readonly string[]
}

/** What the organization's own item says of its single sign-on, so every read of the organization can decide. */
export interface SignOnRule {
  /** Members with an address of a verified domain reach the organization by its sign-on alone. */
  readonly isEnforced: boolean
  /** The owner who enforced it: not bound by it. */
  readonly breakGlassUserId?: UserId
}

export interface Organization {
  id: OrganizationId
  name: string
  /** RFC 3339. */
  createdAt: string
  /** While it is being deleted. */
  deletion?: Deletion
  /** May have ended. */
  throttle?: Throttle
  signInRules?: SignInRules
  signOn?: SignOnRule
  /** The domains that it has verified, sorted; left out if there are none. */
  verifiedDomains?: readonly string[]
}

/** An organization with the caller's role in it. */
export interface OwnOrganization {
  organization: Organization
  role: Role
}

/** What a read says of its caller, for the rules of the organization. Undefined if this was not read, and for clients without a user. */
export interface CallerFacts {
  /** Whether the caller is a user with a second factor. */
  callerHasSecondFactor?: boolean
  /** The domain of the caller's address, as `parseDomainName` writes it. */
  callerDomain?: string | undefined
}

/**
 * An organization and the roles of some users in it, and of the API client that reads it, from a single consistent read. Undefined: not
 * found, or not a member.
 */
export interface MembershipView extends CallerFacts {
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
  /** Unique in the organization: the SHA-256 of the address's key, so a new invitation replaces the previous invitation. */
  id: string
  /** As the inviter wrote it. */
  email: string
  role: Role
  tokenDigest: string
  invitedBy: UserId
  /** Unix milliseconds. */
  validUntil: number
}

/** `client`: an API client of the organization. `service`: a service client of the operator. `gateway`: the payment gateway on its own. `system`: this service on its own. */
export const auditActorTypeSchema = z.enum(['user', 'client', 'service', 'gateway', 'system', 'operator'])

/** Who made a change: the id of a user or a client; null for the others. */
export interface AuditActor {
  type: z.infer<typeof auditActorTypeSchema>
  id: string | null
}

/** A change of an organization, as stored: written in the transaction that makes the change, and never modified. */
export type AuditEntry = AuditHead & AuditChange

interface AuditHead {
  organizationId: OrganizationId
  /** A UUID. */
  id: string
  /** Unix milliseconds. */
  at: number
  actor: AuditActor
}

/** What was done to what. Values of `detail` are never a secret, an address, a card number or the gateway's customer. */
export type AuditChange = AuditDone & {
  /** The id of the changed object: a user, an organization, an invitation, an invoice or a card; for a subscription its product. */
  readonly target: string
}

/** Organizations that an operator throttles. Throws CommonError `service_unavailable`: then it may be done. */
export interface OrganizationThrottles {
  find(organizationId: OrganizationId): Promise<Organization | undefined>
  /** Replaces an organization's throttle, or removes it with null, with the entry in its audit log. `conflict`: there is no such organization any more. */
  set(organizationId: OrganizationId, throttle: Throttle | null, entry: AuditEntry): Promise<WriteOutcome>
}

/** An entry as it is read. */
export interface StoredAuditEntry extends AuditHead {
  action: string
  target: string
  detail: Readonly<Record<string, string | number | null | string[]>>
}

/** Entries, newest first. `next` is the start of the next page, absent on the last page. */
export interface AuditPage {
  entries: readonly StoredAuditEntry[]
  next?: string
}

/** Which entries are listed. A member that is left out excludes none. */
export interface AuditFilter {
  action?: string | undefined
  /** The id of a user or an API client. */
  actorId?: string | undefined
  /** Of this moment or later, and before this moment: Unix milliseconds. */
  from?: number | undefined
  to?: number | undefined
}

/** The audit log of organizations. Throws CommonError `service_unavailable`. */
export interface AuditLog {
  /**
   * A page of an organization's entries of the last 400 days, consistent. `now` is Unix milliseconds. With `action` or `actorId` a page may
   * be short, or empty, although there is a next page.
   */
  list(
    organizationId: OrganizationId,
    page: AuditFilter & { limit: number; after?: string | undefined; now: number },
  ): Promise<AuditPage>
}

/** `conflict`: the state on which the decision was based has changed, and nothing was written; read again. */
type WriteOutcome = 'written' | 'conflict'

/**
 * Organizations and their members. Reads are consistent and include the caller's grant. Every write is a conditional transaction: it
 * requires that `by` is an owner with a live grant, and contains the audit entry. Throws CommonError `invalid_token` if the caller's grant
 * has ended, `service_unavailable` if the store is unavailable.
 */
export interface Organizations {
  /** Reads an organization and the roles of the caller and of some others in it. */
  read(organizationId: OrganizationId, caller: AnyCaller, others?: readonly UserId[]): Promise<MembershipView>
  /** Lists exactly the organizations of which the caller is a member now, unordered. */
  list(caller: Caller): Promise<OwnOrganization[]>
  /** Reads the members of an organization and its invitations, including expired ones, each ordered by id. */
  readMembers(organizationId: OrganizationId): Promise<{ members: Membership[]; invitations: Invitation[] }>
  /** Stores a new organization with its first owner. If the id is taken, writes nothing and returns what the user may see of it. */
  create(
    organization: Organization,
    owner: Caller,
    entry: AuditEntry,
  ): Promise<Omit<MembershipView, 'roleOf'> & { role: Role | undefined }>
  /** Renames an organization if its name is still `from`. */
  rename(
    organizationId: OrganizationId,
    change: { by: Caller; from: string; to: string; entry: AuditEntry },
  ): Promise<WriteOutcome>
  /**
   * Writes all changes or none. `last_owner`: they would leave the organization without an owner. `member_deleting`: they would make a user
   * an owner whose account is being deleted. `conflict` also if they take the role from the break-glass owner.
   */
  changeRoles(
    organizationId: OrganizationId,
    change: { by: Caller; changes: readonly RoleChange[]; entry: AuditEntry },
  ): Promise<WriteOutcome | 'last_owner' | 'member_deleting'>
}

/** The sign-in rules of organizations, which each read of an organization has. Writes like `Organizations`. */
export interface SignInRulesRecords {
  /** Replaces the rules if they are still `from`, and, if `to` requires a second factor, only while `by` has one. */
  replace(
    organizationId: OrganizationId,
    change: { by: Caller; from: SignInRules; to: SignInRules; entry: AuditEntry },
  ): Promise<WriteOutcome>
}

/** An API client of an organization, without its secrets. Times are Unix milliseconds. */
export interface ApiClient {
  organizationId: OrganizationId
  /** A UUID. */
  id: string
  name: string
  scopes: readonly ResourceScope[]
  createdAt: number
  /** Its redemptions of coupons count as this user’s; undefined if an earlier version created it. */
  createdBy?: UserId
  /** Accurate to an hour; undefined if it was never used. */
  lastUsedAt?: number | undefined
  /** When the previous secret expires; undefined if it was never rotated. */
  previousSecretUntil?: number | undefined
}

/**
 * The API clients of organizations. Reads are consistent. Every write is a transaction with its audit entry, if `by` is an owner with a
 * live grant; otherwise `conflict`: read again. Throws CommonError `service_unavailable`. Secrets are passed as digests.
 */
export interface ApiClients {
  find(organizationId: OrganizationId, id: string): Promise<ApiClient | undefined>
  /** Ordered by id. */
  list(organizationId: OrganizationId): Promise<ApiClient[]>
  /** `exists`: a client with this id exists, and stays as it is. `too_many`: the organization has `MAX_API_CLIENTS`. */
  create(client: ApiClient, secretDigest: string, write: OwnersWrite): Promise<WriteOutcome | 'exists' | 'too_many'>
  /**
   * Replaces the secret, and keeps the previous secret until `previousUntil`; undefined: every earlier secret ends. `rotating`: an earlier
   * secret is still valid at `now`, and would end unasked.
   */
  rotate(
    client: Pick<ApiClient, 'organizationId' | 'id'>,
    secret: { digest: string; previousUntil: number | undefined; now: number },
    write: OwnersWrite,
  ): Promise<WriteOutcome | 'rotating'>
  /** `conflict` also if it no longer exists. */
  delete(client: Pick<ApiClient, 'organizationId' | 'id'>, write: OwnersWrite): Promise<WriteOutcome>
}

interface OwnersWrite {
  by: Caller
  entry: AuditEntry
}

/** An invitation found by its token, with the roles of the user and of the inviter. */
export interface FoundInvitation extends MembershipView {
  /** Undefined if it was used, revoked, or replaced by a newer invitation to the same address. */
  invitation: Invitation | undefined
  /** The user who used the token. */
  usedBy: UserId | undefined
}

/** An open invitation to a user, with the organization that invites them. */
export interface ReceivedInvitation {
  readonly invitation: Invitation
  readonly organization: Organization
}

/**
 * Who joins: a signed-in user with exactly this email address, verified, and a live grant; a new user, verified by the token; or the holder
 * of the token, whose new name and password take over the unverified account.
 */
export type Joiner =
  | { readonly kind: 'sign_in'; readonly caller: Caller; readonly email: string }
  | { readonly kind: 'register'; readonly user: User; readonly passwordHash: string }
  | { readonly kind: 'claim'; readonly account: Account; readonly username: string; readonly passwordHash: string }

/** Invitations, by organization and by token. Reads and writes like `Organizations`: consistent, conditional, transactional. */
export interface Invitations {
  /** The invitation `id` of an organization, even if it has expired. */
  findCurrent(organizationId: OrganizationId, id: string): Promise<Invitation | undefined>
  /**
   * A page of the open invitations `id` of all organizations, the latest first: not expired at `now`, sent by an owner of today, of an
   * organization that is not being deleted and of which the user is not a member. `next` is the end of the page, absent on the last page.
   */
  listReceived(
    to: { id: string; userId: UserId },
    page: { limit: number; after: string | undefined; now: number },
  ): Promise<{ received: ReceivedInvitation[]; next: string | undefined }>
  /**
   * Stores an invitation and voids an earlier one to the same address, unless it has the same token. `conflict` also if that is used, and if
   * `instead` is given and is no longer the current invitation.
   */
  put(invitation: Invitation, by: Caller, entry: AuditEntry, instead?: Invitation): Promise<WriteOutcome>
  /** Voids an invitation. `not_found`: there is none, and nothing was written. */
  revoke(
    organizationId: OrganizationId,
    invitation: { id: string; by: Caller; entry: AuditEntry },
  ): Promise<WriteOutcome | 'not_found'>
  /** Voids an invitation for the invited user, whose grant is live and whose verified address is `email`. `conflict` also if it is no more. */
  decline(invitation: Invitation, of: { by: Caller; email: string; entry: AuditEntry }): Promise<WriteOutcome>
  /** Undefined if the token was never issued, or expired long ago. `roleOf` knows the inviter, and the user if given. */
  find(tokenDigest: string, userId: UserId | undefined): Promise<FoundInvitation | undefined>
  /**
   * Uses the invitation and makes the joiner a member, with a new account or password if needed, in one transaction. Of concurrent callers
   * exactly one gets `written`, and only if the inviter is an owner and the joiner is as given. `username_taken`: nothing was written, and
   * only the name prevents it.
   */
  accept(
    invitation: Invitation,
    joiner: Joiner,
    { now, entry }: { now: number; entry: AuditEntry },
  ): Promise<WriteOutcome | 'username_taken'>
}

/** What an operator changes in an account. `grantsEnd`: ends every earlier session, code and token permanently. */
export interface OperatedAccountChange {
  isActive: boolean
  grantsEnd: boolean
}

/** Accounts as operators read and change them. Throws CommonError `service_unavailable`. */
export interface OperatedAccounts {
  /** An account and its user's organizations in their current state. */
  find(userId: UserId): Promise<{ account: Account; organizations: readonly OwnOrganization[] } | undefined>
  /**
   * Changes the account if it is still as given, and adds the entries to the audit log. The first 99 entries are written together with the
   * account or not at all; the others are added before. `conflict`: the account has changed; read again.
   */
  change(
    account: Account,
    change: OperatedAccountChange,
    entries: readonly AuditEntry[],
  ): Promise<'changed' | 'conflict'>
  /**
   * Restores an account and the organizations that were deleted with it, and writes the entries as `change` does. Ended grants stay ended,
   * and links in mails are void. `conflict` also if the erasure has begun.
   */
  takeDeletionBack(
    account: Account,
    deletion: AccountDeletion,
    entries: readonly AuditEntry[],
  ): Promise<'changed' | 'conflict'>
}

/** What members see of each other. */
export interface Profile extends Pick<User, 'username' | 'email'> {
  /** True if the user has a passkey or TOTP. Only owners see it. */
  readonly hasSecondFactor?: boolean | undefined
  /** Of the user's last sign-in; undefined before the first. Mails to the user are in it. */
  readonly language?: Language | undefined
}

export interface Profiles {
  /** The profiles of users by id, without deleted users. Throws CommonError `service_unavailable`. */
  find(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Profile>>
}

/** API clients as an operator changes them, without a user's grant. Throws CommonError `service_unavailable`. */
export interface OperatedApiClients {
  find(clientId: ApiClientId): Promise<ApiClient | undefined>
  /** Writes the scopes with their entry, in one transaction. `conflict`: the client's scopes have changed since, or it is gone. */
  changeScopes(client: ApiClient, scopes: readonly ResourceScope[], entry: AuditEntry): Promise<WriteOutcome>
}

/** What organizations owe at the gateway. */
export interface Debts {
  /**
   * The ids of the invoices that were sent to the organization and are not paid; none if it has no customer.
   * @throws BillingError `gateway_unavailable`, `gateway_refused`
   */
  listOwed(organizationId: OrganizationId): Promise<readonly string[]>
}
