import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { OrganizationId, UserId } from '../../core/ids.ts'
import type { Organizations, OwnOrganization } from '../../organizations/ports.ts'
import { putAuditEntry, transactWithEntry } from './auditEntry.ts'
import { parseInvitation } from './invitation.ts'
import {
  changeRole,
  checkOwner,
  listForUser,
  membershipItemOf,
  membershipViewIn,
  membershipViewKeys,
  organizationsOfUser,
  ownersGained,
  parseListEntry,
  parseMembership,
  unlistForUser,
} from './membership.ts'
import { countOwners, organizationKey, parseOrganization } from './organization.ts'
import { type Item, queryItems, readItems } from './readItems.ts'
import { transactWrite } from './transactWrite.ts'

/** `Organizations` on DynamoDB, in the table `billing`, with its changes in `auditLog`. */
export function createOrganizationRecords(
  client: DynamoDBDocumentClient,
  tables: { billing: string; auditLog: string | undefined },
): Organizations {
  const table = tables.billing

  async function readOwn(ids: readonly OrganizationId[], userId: UserId): Promise<OwnOrganization[]> {
    const item = await readItems(
      client,
      table,
      ids.flatMap((id) => membershipViewKeys(id, [userId])),
    )
    return ids.flatMap((id) => {
      const { organization, roleOf } = membershipViewIn(item, id)
      const role = roleOf(userId)
      return organization && role ? [{ organization, role }] : []
    })
  }

  return {
    async read(organizationId, userIds) {
      const item = await readItems(client, table, membershipViewKeys(organizationId, userIds))
      return membershipViewIn(item, organizationId)
    },

    async list(userId) {
      const { pk, prefix } = organizationsOfUser(userId)
      const items = await queryItems(client, {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      })
      return readOwn(items.map(parseListEntry), userId)
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

    async create(organization, owner, entry) {
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
        listForUser(table, id, owner),
        putAuditEntry(tables.auditLog, entry),
      ])
      if (outcome === null) return { organization, role: 'owner' }
      const [current, membership] = outcome.map(({ item }) => item)
      return {
        organization: current && parseOrganization(current),
        role: membership && parseMembership(membership).role,
      }
    },

    async rename(organizationId, { by, from, to, entry }) {
      const rename = {
        TableName: table,
        Key: organizationKey(organizationId),
        UpdateExpression: 'SET #name = :to',
        ConditionExpression: '#name = :from',
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: { ':from': from, ':to': to },
      }
      const writes = [{ Update: rename }, checkOwner(table, organizationId, by)]
      const outcome = await transactWithEntry(client, tables.auditLog, entry, writes)
      return outcome === 'written' ? outcome : 'conflict'
    },

    async changeRoles(organizationId, { by, changes, entry }) {
      const writes = changes.map((change) => changeRole(table, organizationId, change))
      // A change of the caller's own role has that role among its conditions already.
      const check = changes.some(({ userId }) => userId === by) ? [] : [checkOwner(table, organizationId, by)]
      const gained = changes.reduce((sum, change) => sum + ownersGained(change), 0)
      const count = gained === 0 ? [] : [countOwners(table, organizationId, { gained, atLeast: 1 })]
      const left = changes.filter(({ to }) => to === null)
      const unlisted = left.map(({ userId }) => unlistForUser(table, organizationId, userId))
      const all = [...writes, ...check, ...count, ...unlisted]
      const outcome = await transactWithEntry(client, tables.auditLog, entry, all)
      if (outcome === 'written') return outcome
      const failed = outcome.map((item) => item.failed)
      return failed.indexOf(true) === writes.length + check.length ? 'last_owner' : 'conflict'
    },
  }
}
