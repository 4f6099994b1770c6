import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { BillingAccount } from '../../billing/ports.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../core/ids.ts'
import { type Membership, type Role, roleSchema } from '../../organizations/ports.ts'
import type { TransactItem } from './slot.ts'

export function accountKey(organizationId: OrganizationId) {
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
export function parseAccount(item: Record<string, unknown>): BillingAccount {
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
      Key: accountKey(organizationId),
      ConditionExpression: 'custRev = :rev',
      ExpressionAttributeValues: { ':rev': customerRev },
    },
  }
}

const membershipItem = z.object({ userId: userIdSchema, role: roleSchema })

export function parseMembership(item: Record<string, unknown>): Membership {
  return membershipItem.parse(item)
}

/** Writes organizations and who is in them. */
export function createOrganizations(client: DynamoDBDocumentClient, table: string) {
  return {
    /** Creates the organization; one that exists keeps everything but its name. */
    async create(organization: { id: OrganizationId; name: string; createdAt: string }): Promise<void> {
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: accountKey(organization.id),
          UpdateExpression:
            'SET organizationId = :id, #name = :name, createdAt = if_not_exists(createdAt, :now), custRev = if_not_exists(custRev, :zero)',
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
    async setMembership(organizationId: OrganizationId, userId: UserId, role: Role): Promise<void> {
      const item = { ...membershipKey(organizationId, userId), userId, role }
      await client.send(new PutCommand({ TableName: table, Item: item }))
    },

    /** Takes a user out of an organization. */
    async removeMembership(organizationId: OrganizationId, userId: UserId): Promise<void> {
      await client.send(new DeleteCommand({ TableName: table, Key: membershipKey(organizationId, userId) }))
    },
  }
}
