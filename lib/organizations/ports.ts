import * as z from 'zod'
import type { OrganizationId, UserId } from '../core/ids.ts'
import type { User } from '../users/ports.ts'

/** A member has one role; `permissions.ts` says what each may do. */
export const roleSchema = z.enum(['owner', 'billing_admin', 'member']).meta({ id: 'Role' })
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
}

/** An organization with the caller's role in it. */
export interface OwnOrganization {
  organization: Organization
  role: Role
}

/** An organization and the roles of some users in it, from one consistent read. Undefined: not found, or not a member. */
export interface MembershipView {
  organization: Organization | undefined
  roleOf(userId: UserId): Role | undefined
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

/** `conflict`: what the decision was based on has changed, and nothing was written; read again. */
type WriteOutcome = 'written' | 'conflict'

/**
 * Organizations and their members. Reads are consistent, except as `list` notes. Every write is one transaction with its
 * conditions, among them that `by` is an owner. Throws CommonError `service_unavailable` when the store is unavailable.
 */
export interface Organizations {
  /** An organization, and the roles of some users in it. */
  read(organizationId: OrganizationId, userIds: readonly UserId[]): Promise<MembershipView>
  /**
   * A user's organizations, unordered. Never includes one that the user was removed from; one joined within about the last
   * second may be missing, because the index follows the table.
   */
  list(userId: UserId): Promise<OwnOrganization[]>
  /** The members of an organization and its invitations, including expired ones, each ordered by id. */
  readMembers(organizationId: OrganizationId): Promise<{ members: Membership[]; invitations: Invitation[] }>
  /** Stores a new organization with its first owner. If the id is taken, writes nothing and returns what the user finds there. */
  create(
    organization: Organization,
    owner: UserId,
  ): Promise<Omit<MembershipView, 'roleOf'> & { role: Role | undefined }>
  /** `from`: only while this is the name. */
  rename(
    organizationId: OrganizationId,
    change: { by: UserId; name: string; from?: string | undefined },
  ): Promise<WriteOutcome>
  /** Writes all changes or none. `last_owner`: they would leave the organization without an owner. */
  changeRoles(
    organizationId: OrganizationId,
    change: { by: UserId; changes: readonly RoleChange[] },
  ): Promise<WriteOutcome | 'last_owner'>
}

/** An invitation found by its token, with the roles of the user and of the inviter. */
export interface FoundInvitation extends MembershipView {
  /** Undefined once used, revoked, or replaced by a newer one to the same address. */
  invitation: Invitation | undefined
  /** Who used the token. */
  usedBy: UserId | undefined
}

/** Invitations, by organization and by token. Reads and writes as `Organizations`: consistent, conditional, transactional. */
export interface Invitations {
  /** Stores an invitation and voids an earlier one to the same address. */
  put(invitation: Invitation): Promise<WriteOutcome>
  /** Voids an invitation. `written` also if there is none. */
  revoke(organizationId: OrganizationId, invitation: { id: string; by: UserId }): Promise<WriteOutcome>
  /** Undefined for a token that was never issued, or expired long ago. `roleOf` knows the user and the inviter. */
  find(tokenDigest: string, userId: UserId): Promise<FoundInvitation | undefined>
  /**
   * Uses the invitation and makes the user a member. Of concurrent callers exactly one gets `written`, and only while the
   * inviter is an owner and the user has exactly this email address, verified.
   */
  accept(invitation: Invitation, user: Pick<User, 'id' | 'email'>, now: number): Promise<WriteOutcome>
}

/** What members see of each other. */
export type Profile = Pick<User, 'username' | 'email'>

export interface Profiles {
  /** The profiles of users by id, without deleted ones. Throws CommonError `service_unavailable`. */
  find(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Profile>>
}
