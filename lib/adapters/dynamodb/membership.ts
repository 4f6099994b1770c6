import * as z from 'zod'
import { type OrganizationId, type UserId, userIdSchema } from '../../core/ids.ts'
import {
  type Membership,
  type MembershipView,
  type Role,
  type RoleChange,
  roleSchema,
} from '../../organizations/ports.ts'
import { organizationKey, parseOrganization } from './organization.ts'
import type { Item, Key } from './readItems.ts'
import type { TransactItem } from './transactWrite.ts'

export function membershipKey(organizationId: OrganizationId, userId: UserId) {
  return { pk: `ORG#${organizationId}`, sk: `MEMBER#${userId}` }
}

const membershipItem = z.object({ userId: userIdSchema, role: roleSchema })

export function parseMembership(item: Record<string, unknown>): Membership {
  return membershipItem.parse(item)
}

/** `memberId` is the key of the index by which a user finds their organizations. */
export function membershipItemOf(organizationId: OrganizationId, { userId, role }: Membership) {
  return { ...membershipKey(organizationId, userId), userId, memberId: userId, role }
}

/** The keys of an organization and of some users' memberships in it, each once. */
export function membershipViewKeys(organizationId: OrganizationId, userIds: readonly UserId[]): Key[] {
  const memberships = [...new Set(userIds)].map((userId) => membershipKey(organizationId, userId))
  return [organizationKey(organizationId), ...memberships]
}

/** The view of an organization in the items read under `membershipViewKeys`. */
export function membershipViewIn(item: (key: Key) => Item | undefined, organizationId: OrganizationId): MembershipView {
  const organization = item(organizationKey(organizationId))
  return {
    organization: organization && parseOrganization(organization),
    roleOf(userId) {
      const membership = item(membershipKey(organizationId, userId))
      return membership && parseMembership(membership).role
    },
  }
}

/** Passes only while the user is an owner. */
export function checkOwner(table: string, organizationId: OrganizationId, userId: UserId): TransactItem {
  return {
    ConditionCheck: {
      TableName: table,
      Key: membershipKey(organizationId, userId),
      ConditionExpression: '#role = :owner',
      ExpressionAttributeNames: { '#role': 'role' },
      ExpressionAttributeValues: { ':owner': 'owner' },
    },
  }
}

/** Writes a role, or deletes the membership, while the stored role is still `from`. */
export function changeRole(
  table: string,
  organizationId: OrganizationId,
  { userId, from, to }: RoleChange,
): TransactItem {
  const unchanged = {
    TableName: table,
    Key: membershipKey(organizationId, userId),
    ConditionExpression: '#role = :from',
    ExpressionAttributeNames: { '#role': 'role' },
  }
  if (to === null) return { Delete: { ...unchanged, ExpressionAttributeValues: { ':from': from } } }
  const ExpressionAttributeValues = { ':from': from, ':to': to }
  return { Update: { ...unchanged, UpdateExpression: 'SET #role = :to', ExpressionAttributeValues } }
}

/** How one change of a role changes the number of owners. */
export function ownersGained({ from, to }: { from?: Role | null | undefined; to: Role | null }): number {
  return Number(to === 'owner') - Number(from === 'owner')
}
