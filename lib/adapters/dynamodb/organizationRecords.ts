import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { type OrganizationId, organizationIdSchema, type UserId } from '../../core/ids.ts'
import type { Organizations, OwnOrganization, RoleChange } from '../../organizations/ports.ts'
import { parseInvitation } from './invitation.ts'
import { checkOwner, standingIn, standingKeys } from './membership.ts'
import {
  countOwners,
  membershipItemOf,
  membershipKey,
  organizationKey,
  ownersGained,
  parseMembership,
  parseOrganization,
} from './organization.ts'
import { batchesOf } from './organizationBatches.ts'
import { queryItems } from './organizationQuery.ts'
import { transactWriteOrConflict } from './organizationWrite.ts'
import { type Item, readItems } from './readItems.ts'
import type { TransactItem } from './slot.ts'
import { transactWrite } from './transactWrite.ts'

/** DynamoDB reads up to 100 items in a batch: here two for each organization. */
const ORGANIZATIONS_IN_A_BATCH = 50

const indexItem = z.object({ pk: z.templateLiteral(['ORG#', z.guid()]) })

function changeRole(table: string, organizationId: OrganizationId, { userId, from, to }: RoleChange): TransactItem {
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

/** `Organizations` on DynamoDB, in the table `billing`. */
export function createOrganizationRecords(client: DynamoDBDocumentClient, table: string): Organizations {
  async function readOwn(ids: readonly OrganizationId[], userId: UserId): Promise<OwnOrganization[]> {
    const item = await readItems(
      client,
      table,
      ids.flatMap((id) => standingKeys(id, [userId])),
    )
    return ids.flatMap((id) => {
      const { organization, roleOf } = standingIn(item, id)
      const role = roleOf(userId)
      return organization && role ? [{ organization, role }] : []
    })
  }

  return {
    async read(organizationId, userIds) {
      const item = await readItems(client, table, standingKeys(organizationId, userIds))
      return standingIn(item, organizationId)
    },

    async list(userId) {
      const items = await queryItems(client, {
        TableName: table,
        IndexName: 'memberships',
        KeyConditionExpression: 'memberId = :user',
        ExpressionAttributeValues: { ':user': userId },
      })
      const ids = items.map((item) => organizationIdSchema.parse(indexItem.parse(item).pk.slice('ORG#'.length)))
      // The index may still name an organization that the user was taken out of, so the table is asked.
      const batches = batchesOf(ids, ORGANIZATIONS_IN_A_BATCH)
      return (await Promise.all(batches.map((batch) => readOwn(batch, userId)))).flat()
    },

    async readMembers(organizationId) {
      const { pk } = organizationKey(organizationId)
      // Sort keys are in the order of bytes: `INVITE#...` and `MEMBER#...` lie between, `ENTITLEMENT#...` and `SLOT#...` outside.
      const items = await queryItems(client, {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ':from': 'INVITE#', ':to': 'MEMBER$' },
      })
      const isInvitation = ({ sk }: Item) => String(sk).startsWith('INVITE#')
      return {
        members: items.filter((item) => !isInvitation(item)).map(parseMembership),
        invitations: items.filter(isInvitation).map(parseInvitation),
      }
    },

    async create(organization, owner) {
      const { id, name, createdAt } = organization
      const isNew = {
        TableName: table,
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      } as const
      const account = { ...organizationKey(id), organizationId: id, name, createdAt, custRev: 0, owners: 1 }
      const outcome = await transactWrite(client, [
        { Put: { ...isNew, Item: account } },
        { Put: { ...isNew, Item: membershipItemOf(id, { userId: owner, role: 'owner' }) } },
      ])
      if (outcome === null) return { organization, role: 'owner' }
      const [standing, membership] = outcome.map(({ item }) => item)
      return {
        organization: standing && parseOrganization(standing),
        role: membership && parseMembership(membership).role,
      }
    },

    async rename(organizationId, { by, name }) {
      const rename = {
        TableName: table,
        Key: organizationKey(organizationId),
        UpdateExpression: 'SET #name = :name',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: { ':name': name },
      }
      const outcome = await transactWriteOrConflict(client, [{ Update: rename }, checkOwner(table, organizationId, by)])
      return outcome === null ? 'written' : 'changed_meanwhile'
    },

    async changeRoles(organizationId, { by, changes }) {
      const writes = changes.map((change) => changeRole(table, organizationId, change))
      // A change of the caller's own role has the role it was decided on among its conditions already.
      const check = changes.some(({ userId }) => userId === by) ? [] : [checkOwner(table, organizationId, by)]
      const gained = changes.reduce((sum, change) => sum + ownersGained(change), 0)
      const count = gained === 0 ? [] : [countOwners(table, organizationId, { gained, atLeast: 1 })]
      const outcome = await transactWriteOrConflict(client, [...writes, ...check, ...count])
      if (outcome === null) return 'written'
      const failed = outcome.map((item) => item.failed)
      return failed.indexOf(true) === writes.length + check.length ? 'last_owner' : 'changed_meanwhile'
    },
  }
}
