import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type AnyCaller, type Caller, isApiClient, isServiceClient } from '../../core/identity.ts'
import {
  type OrganizationId,
  organizationIdSchema,
  type PrincipalId,
  type UserId,
  userIdSchema,
} from '../../core/ids.ts'
import { type Cause, roleEvent } from '../../organizations/organizationEvents.ts'
import {
  type Membership,
  type MembershipView,
  type OwnOrganization,
  type Role,
  type RoleChange,
  roleSchema,
} from '../../organizations/ports.ts'
import { checkCaller } from './callerStore.ts'
import { putEvent } from './eventStore.ts'
import { type FindItem, type Key, queryPartition } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { organizationKey, parseOrganization } from './organizationItem.ts'
import type { TableNames } from './tables.ts'

export function membershipKey(organizationId: OrganizationId, userId: UserId) {
  return { pk: `ORG#${organizationId}`, sk: `MEMBER#${userId}` }
}

const membershipItem = z.object({ userId: userIdSchema, role: roleSchema })

export function parseMembership(item: Record<string, unknown>): Membership {
  return membershipItem.parse(item)
}

export function membershipItemOf(organizationId: OrganizationId, { userId, role }: Membership) {
  return { ...membershipKey(organizationId, userId), userId, role }
}

/** The list of a user's organizations is kept in the table, because an index would lag behind a new membership. */
function organizationsOfUser(userId: UserId) {
  return { pk: `USER#${userId}`, prefix: 'ORG#' }
}

function entryKey(userId: UserId, organizationId: OrganizationId): Key {
  const { pk, prefix } = organizationsOfUser(userId)
  return { pk, sk: prefix + organizationId }
}

/** Lists the organization for the user; in the transaction that writes the membership. */
export function listForUser(table: string, organizationId: OrganizationId, userId: UserId): TransactItem {
  return { Put: { TableName: table, Item: { ...entryKey(userId, organizationId), organizationId } } }
}

/** Removes it from the list; in the transaction that deletes the membership. */
export function unlistForUser(table: string, organizationId: OrganizationId, userId: UserId): TransactItem {
  return { Delete: { TableName: table, Key: entryKey(userId, organizationId) } }
}

const listEntry = z.object({ organizationId: organizationIdSchema })

/**
 * The organizations in the user's list, consistent.
 * @throws CommonError `service_unavailable`
 */
export async function listOfUser(
  client: DynamoDBDocumentClient,
  table: string,
  userId: UserId,
): Promise<OrganizationId[]> {
  const items = await queryPartition(client, table, organizationsOfUser(userId))
  return items.map((item) => listEntry.parse(item).organizationId)
}

/** The keys of an organization and of some users' memberships in it, each once. */
export function membershipViewKeys(organizationId: OrganizationId, userIds: readonly UserId[]): Key[] {
  const memberships = [...new Set(userIds)].map((userId) => membershipKey(organizationId, userId))
  return [organizationKey(organizationId), ...memberships]
}

/**
 * The view of an organization in the items read under `membershipViewKeys`.
 * @param caller an API client sees its own organization as a member does, a service client every organization; what else it may do, its scopes say
 */
export function membershipViewIn(item: FindItem, organizationId: OrganizationId, caller?: AnyCaller): MembershipView {
  const organization = item(organizationKey(organizationId))
  return {
    organization: organization && parseOrganization(organization),
    roleOf(principalId) {
      const userId = userIdSchema.safeParse(principalId).data
      if (userId === undefined) return isClientOf(principalId, organizationId, caller) ? 'member' : undefined
      const membership = item(membershipKey(organizationId, userId))
      return membership && parseMembership(membership).role
    },
  }
}

/** Whether this is the id of the calling client, and the client reads this organization. */
function isClientOf(id: PrincipalId, organizationId: OrganizationId, caller: AnyCaller | undefined): boolean {
  if (caller === undefined) return false
  if (isServiceClient(caller)) return caller.serviceClientId === id
  return isApiClient(caller) && caller.apiClientId === id && caller.organizationId === organizationId
}

/** The organizations of these that the user is a member of, in the items read under `membershipViewKeys` of each. */
export function ownOrganizationsIn(item: FindItem, ids: readonly OrganizationId[], userId: UserId): OwnOrganization[] {
  return ids.flatMap((id) => {
    const { organization, roleOf } = membershipViewIn(item, id)
    const role = roleOf(userId)
    return organization && role ? [{ organization, role }] : []
  })
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

/** The checks that the caller may still write: a live grant, and the role of an owner. */
export function checkOwnCaller(tables: TableNames, organizationId: OrganizationId, by: Caller) {
  return {
    owner: checkOwner(tables.billing, organizationId, by.userId),
    caller: checkCaller(tables.accounts, by),
  }
}

/** Writes a role, or deletes the membership, while the stored role is still `from`; with the event of that. */
export function changeRole(
  { billing, events }: Pick<TableNames, 'billing' | 'events'>,
  organizationId: OrganizationId,
  change: RoleChange,
  cause: Cause,
): TransactItem[] {
  return [writeRole(billing, organizationId, change), ...putEvent(events, roleEvent(organizationId, change, cause))]
}

function writeRole(TableName: string, organizationId: OrganizationId, { userId, from, to }: RoleChange): TransactItem {
  const unchanged = {
    TableName,
    Key: membershipKey(organizationId, userId),
    ConditionExpression: '#role = :from',
    ExpressionAttributeNames: { '#role': 'role' },
  }
  if (to === null) return { Delete: { ...unchanged, ExpressionAttributeValues: { ':from': from } } }
  const ExpressionAttributeValues = { ':from': from, ':to': to }
  return { Update: { ...unchanged, UpdateExpression: 'SET #role = :to', ExpressionAttributeValues } }
}

/** How a change of a role changes the number of owners. */
export function ownersGained({ from, to }: { from?: Role | null | undefined; to: Role | null }): number {
  return Number(to === 'owner') - Number(from === 'owner')
}
