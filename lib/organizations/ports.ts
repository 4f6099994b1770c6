import * as z from 'zod'
import type { OrganizationId, UserId } from '../core/ids.ts'
import type { User } from '../users/ports.ts'

/** A member has one role; `permissions.ts` says what each may do. */
export const roleSchema = z.enum(['owner', 'billing_admin', 'member'])
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

/** An organization as one of its members finds it. */
export interface OwnOrganization {
  organization: Organization
  role: Role
}

/** Who somebody is in an organization, in one consistent read. Undefined: there is no such organization, or they are not in it. */
export interface MembershipView {
  organization: Organization | undefined
  roleOf(userId: UserId): Role | undefined
}

/** A member gets another role; null takes them out. Holds only while the stored role is still `from`. */
export interface RoleChange {
  userId: UserId
  from: Role
  to: Role | null
}

/** An open invitation. An organization has one for each address; its token is stored as a digest only. */
export interface Invitation {
  organizationId: OrganizationId
  /** Its name within the organization: the SHA-256 of the address's key, so that a new one takes the place of the old. */
  id: string
  /** As the inviter wrote it. */
  email: string
  role: Role
  tokenDigest: string
  invitedBy: UserId
  /** Unix milliseconds. */
  validUntil: number
}

/** `conflict`: what the write was decided on does not hold any more; read again. Nothing was written. */
export type WriteOutcome = 'written' | 'conflict'

/**
 * Organizations and who is in them. Reads are consistent, but for `list` where it says so; every write is one transaction with
 * its conditions, `by` still being an owner among them. Throws CommonError `service_unavailable` where the store is away.
 */
export interface Organizations {
  /** An organization, and the roles of some users in it. */
  read(organizationId: OrganizationId, userIds: readonly UserId[]): Promise<MembershipView>
  /**
   * A user's organizations, in no order. One that they were taken out of is never in it; one that they came into may be missing
   * for about a second, for the index behind it follows the table.
   */
  list(userId: UserId): Promise<OwnOrganization[]>
  /** Everybody in an organization, and its invitations, expired ones included; each in the order of their ids. */
  readMembers(organizationId: OrganizationId): Promise<{ members: Membership[]; invitations: Invitation[] }>
  /** A new organization with its first owner. Where the id is taken nothing is written, and what the user finds there is answered. */
  create(
    organization: Organization,
    owner: UserId,
  ): Promise<Omit<MembershipView, 'roleOf'> & { role: Role | undefined }>
  rename(organizationId: OrganizationId, change: { by: UserId; name: string }): Promise<WriteOutcome>
  /** All changes or none. `last_owner`: they would leave the organization without an owner. */
  changeRoles(
    organizationId: OrganizationId,
    change: { by: UserId; changes: readonly RoleChange[] },
  ): Promise<WriteOutcome | 'last_owner'>
}

/** What became of the token that a user shows, in that user's eyes. */
export interface FoundInvitation extends MembershipView {
  /** Undefined once it was used, revoked, or replaced by a newer one to the same address. */
  invitation: Invitation | undefined
  /** Who used the token. */
  usedBy: UserId | undefined
}

/** Invitations by their organization and by their token. As of `Organizations`: consistent, conditional, one transaction. */
export interface Invitations {
  /** Stores an invitation; an earlier one to the same address is void from then on. */
  put(invitation: Invitation): Promise<WriteOutcome>
  /** Voids an invitation; one that is not there is as good as voided. */
  revoke(organizationId: OrganizationId, invitation: { id: string; by: UserId }): Promise<WriteOutcome>
  /** Undefined for a token that was never issued, or is long expired. `roleOf` knows the user and the inviter. */
  find(tokenDigest: string, userId: UserId): Promise<FoundInvitation | undefined>
  /**
   * Uses the invitation up and makes the user a member. Of any number of callers exactly one gets `written`; and only while the
   * inviter is an owner and the user has this very address, verified.
   */
  accept(invitation: Invitation, user: Pick<User, 'id' | 'email'>, now: number): Promise<WriteOutcome>
}

/** What members learn of each other. */
export type Profile = Pick<User, 'username' | 'email'>

export interface Profiles {
  /** The profiles of users, by id; whoever is gone is left out. Throws CommonError `service_unavailable`. */
  find(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Profile>>
}
