import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { BillingAccount } from '../../billing/ports.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../core/ids.ts'
import { type Membership, type Organization, type Role, roleSchema } from '../../organizations/ports.ts'
import { callStore } from './callStore.ts'
import type { TransactItem } from './slot.ts'
import { transactWrite } from './transactWrite.ts'

export function organizationKey(organizationId: OrganizationId) {
  return { pk: `ORG#${organizationId}`, sk: 'ACCOUNT' }
}

export function membershipKey(organizationId: OrganizationId, userId: UserId) {
  return { pk: `ORG#${organizationId}`, sk: `MEMBER#${userId}` }
}

const accountItem = z.object({
  organizationId: organizationIdSchema,
  createdAt: z.string(),
  custRev: z.number().int().nonnegative(),
  custCipher: z.string().optional(),
  custDigest: z.string().optional(),
})

/** The stored organization; the gateway's customer is in it only as ciphertext and digest. */
export function parseBillingAccount(item: Record<string, unknown>): BillingAccount {
  const { organizationId, createdAt, custRev, custCipher, custDigest } = accountItem.parse(item)
  return {
    organizationId,
    createdAt,
    customerRev: custRev,
    ...(custCipher && custDigest && { customer: { cipher: custCipher, digest: custDigest } }),
  }
}

/** Passes only while the organization has the customer that was read, or still none. */
export function checkCustomerRev(
  table: string,
  { organizationId, customerRev }: Pick<BillingAccount, 'organizationId' | 'customerRev'>,
): TransactItem {
  return {
    ConditionCheck: {
      TableName: table,
      Key: organizationKey(organizationId),
      ConditionExpression: 'custRev = :rev',
      ExpressionAttributeValues: { ':rev': customerRev },
    },
  }
}

const namedItem = z.object({ organizationId: organizationIdSchema, name: z.string(), createdAt: z.string() })

/** The stored organization, without what only billing knows of it. */
export function parseOrganization(item: Record<string, unknown>): Organization {
  const { organizationId, name, createdAt } = namedItem.parse(item)
  return { id: organizationId, name, createdAt }
}

const membershipItem = z.object({ userId: userIdSchema, role: roleSchema })

export function parseMembership(item: Record<string, unknown>): Membership {
  return membershipItem.parse(item)
}

/** `memberId` is the key of the index by which a user finds their organizations. */
export function membershipItemOf(organizationId: OrganizationId, { userId, role }: Membership) {
  return { ...membershipKey(organizationId, userId), userId, memberId: userId, role }
}

/** How the number of owners changes with one role. */
export function ownersGained({ from, to }: { from?: Role | null | undefined; to: Role | null }): number {
  return Number(to === 'owner') - Number(from === 'owner')
}

/** Counts the owners up or down; `atLeast` refuses a step that would leave fewer. */
export function countOwners(
  table: string,
  organizationId: OrganizationId,
  { gained, atLeast }: { gained: number; atLeast?: number },
): TransactItem {
  return {
    Update: {
      TableName: table,
      Key: organizationKey(organizationId),
      UpdateExpression: 'ADD owners :gained',
      ExpressionAttributeValues: { ':gained': gained, ...(atLeast !== undefined && { ':enough': atLeast - gained }) },
      ...(atLeast !== undefined && { ConditionExpression: 'owners >= :enough' }),
    },
  }
}

/** Writes organizations and who is in them, for the seed and the tests: without asking who may do that. */
export function createOrganizations(client: DynamoDBDocumentClient, table: string) {
  async function roleOf(organizationId: OrganizationId, userId: UserId): Promise<Role | undefined> {
    const get = new GetCommand({
      TableName: table,
      Key: membershipKey(organizationId, userId),
      ConsistentRead: true,
    })
    const { Item } = await callStore(() => client.send(get))
    return Item && parseMembership(Item).role
  }

  /** The number of owners follows the role in the same transaction; whoever changes the role meanwhile makes it start over. */
  async function setRole(organizationId: OrganizationId, userId: UserId, to: Role | null): Promise<void> {
    const from = await roleOf(organizationId, userId)
    const unchanged = {
      TableName: table,
      ...(from === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: '#role = :from',
            ExpressionAttributeNames: { '#role': 'role' },
            ExpressionAttributeValues: { ':from': from },
          }),
    }
    const write: TransactItem =
      to === null
        ? { Delete: { ...unchanged, Key: membershipKey(organizationId, userId) } }
        : { Put: { ...unchanged, Item: membershipItemOf(organizationId, { userId, role: to }) } }
    const gained = ownersGained({ from, to })
    const items = gained === 0 ? [write] : [write, countOwners(table, organizationId, { gained })]
    if ((await transactWrite(client, items)) !== null) await setRole(organizationId, userId, to)
  }

  return {
    /** Creates the organization; one that exists keeps everything but its name. */
    async create(organization: { id: OrganizationId; name: string; createdAt: string }): Promise<void> {
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: organizationKey(organization.id),
          UpdateExpression:
            'SET organizationId = :id, #name = :name, createdAt = if_not_exists(createdAt, :now), custRev = if_not_exists(custRev, :zero), owners = if_not_exists(owners, :zero)',
          ExpressionAttributeNames: { '#name': 'name' },
          ExpressionAttributeValues: {
            ':id': organization.id,
            ':name': organization.name,
            ':now': organization.createdAt,
            ':zero': 0,
          },
        }),
      )
    },

    /** Gives a user a role in an organization, or another one. */
    setMembership: (organizationId: OrganizationId, userId: UserId, role: Role) =>
      setRole(organizationId, userId, role),

    /** Takes a user out of an organization, also its last owner. */
    removeMembership: (organizationId: OrganizationId, userId: UserId) => setRole(organizationId, userId, null),
  }
}
