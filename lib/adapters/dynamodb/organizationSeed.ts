import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Role } from '../../organizations/ports.ts'
import { readItem } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import {
  listForUser,
  membershipItemOf,
  membershipKey,
  ownersGained,
  parseMembership,
  unlistForUser,
} from './membershipStore.ts'
import { countOwners, organizationKey } from './organizationItem.ts'

/** Writes organizations and memberships for the seed and the tests, without checking who may do so. */
export function createOrganizationSeed(client: DynamoDBDocumentClient, table: string) {
  async function roleOf(organizationId: OrganizationId, userId: UserId): Promise<Role | undefined> {
    const item = await readItem(client, table, membershipKey(organizationId, userId))
    return item && parseMembership(item).role
  }

  /** Changes the number of owners in the same transaction, and starts over if the role has changed since it was read. */
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
    const listed = (to === null ? unlistForUser : listForUser)(table, organizationId, userId)
    const owners = gained === 0 ? undefined : countOwners(table, organizationId, { gained })
    const result = await transactWrite(client, { membership: write, listed, owners })
    if (result.kind === 'refused') await setRole(organizationId, userId, to)
  }

  return {
    /** Creates the organization. If it exists, only its name changes. */
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

    /** Adds a user to an organization, or changes their role in it. */
    setMembership: (organizationId: OrganizationId, userId: UserId, role: Role) =>
      setRole(organizationId, userId, role),

    /** Removes a user from an organization, also its last owner. */
    removeMembership: (organizationId: OrganizationId, userId: UserId) => setRole(organizationId, userId, null),
  }
}
