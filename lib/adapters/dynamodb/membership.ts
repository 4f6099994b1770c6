import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { MembershipView } from '../../organizations/ports.ts'
import { membershipKey, organizationKey, parseMembership, parseOrganization } from './organization.ts'
import type { Item, Key } from './readItems.ts'
import type { TransactItem } from './slot.ts'

/** The keys of an organization's account and of some users' memberships in it, each once. */
export function standingKeys(organizationId: OrganizationId, userIds: readonly UserId[]): Key[] {
  const memberships = [...new Set(userIds)].map((userId) => membershipKey(organizationId, userId))
  return [organizationKey(organizationId), ...memberships]
}

/** Who somebody is in an organization, by the items that were read. */
export function standingIn(item: (key: Key) => Item | undefined, organizationId: OrganizationId): MembershipView {
  const account = item(organizationKey(organizationId))
  return {
    organization: account && parseOrganization(account),
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
