import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { CommonError } from '../../core/errors.ts'
import { type AnyCaller, type Caller, isApiClient, isServiceClient } from '../../core/identity.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { createdEvent } from '../../organizations/organizationEvents.ts'
import type { Organizations, OwnOrganization } from '../../organizations/ports.ts'
import { admitOwner } from './accountStore.ts'
import { putAuditEntry, transactWithEntry } from './auditLogStore.ts'
import { factsOfCaller, readWithCaller, whileLive } from './callerStore.ts'
import { keepApart } from './domainMemberStore.ts'
import { putEvent } from './eventStore.ts'
import { parseInvitation } from './invitationStore.ts'
import { type Item, type Key, queryItems } from './kit/readItems.ts'
import { transactWrite } from './kit/transactWrite.ts'
import {
  changeRole,
  checkOwnCaller,
  listForUser,
  listOfUser,
  membershipItemOf,
  membershipViewIn,
  membershipViewKeys,
  ownersGained,
  ownOrganizationsIn,
  parseMembership,
  unlistForUser,
} from './membershipStore.ts'
import { countOwners, deposeOwner, isBreakGlassOwner, organizationKey, parseOrganization } from './organizationItem.ts'
import type { TableNames } from './tables.ts'

/** `Organizations` on DynamoDB, in the table `billing`, with its changes in `auditLog` and `events`, and its callers in `accounts`. */
export function createOrganizationRecords(client: DynamoDBDocumentClient, tables: TableNames): Organizations {
  const table = tables.billing

  const read = (caller: AnyCaller, keys: readonly Key[]) =>
    readWithCaller(client, tables.accounts, caller, [{ table, keys }])

  async function readOwn(ids: readonly OrganizationId[], caller: Caller): Promise<OwnOrganization[]> {
    const item = await read(
      caller,
      ids.flatMap((id) => membershipViewKeys(id, [caller.userId])),
    )
    return ownOrganizationsIn(item, ids, caller.userId)
  }

  return {
    async read(organizationId, caller, others = []) {
      const members = isApiClient(caller) || isServiceClient(caller) ? others : [caller.userId, ...others]
      const item = await read(caller, membershipViewKeys(organizationId, members))
      return { ...membershipViewIn(item, organizationId, caller), ...factsOfCaller(caller, item) }
    },

    async list(caller) {
      const ids = await listOfUser(client, table, caller.userId)
      // A query reads one table: the caller is read with the organizations, even if there are none.
      return readOwn(ids, caller)
    },

    async readMembers(organizationId) {
      const { pk } = organizationKey(organizationId)
      // Sort keys are in the order of bytes: `INVITE#...` and `MEMBER#...` lie between, `ACCOUNT` outside.
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
      const result = await transactWrite(client, {
        organization: { Put: { ...isNew, Item: account } },
        membership: { Put: { ...isNew, Item: membershipItemOf(id, { userId: owner.userId, role: 'owner' }) } },
        listed: listForUser(table, id, owner.userId),
        caller: admitOwner(tables.accounts, owner.userId, whileLive(owner)),
        entry: putAuditEntry(tables.auditLog, entry),
        event: putEvent(tables.events, createdEvent(organization, entry)),
      })
      if (result.kind === 'written') return { organization, role: 'owner' }
      if (result.failed.has('caller')) throw new CommonError('invalid_token', { message: 'the grant ended meanwhile' })
      const { organization: current, membership } = result.stored
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
      const writes = { organization: { Update: rename }, ...checkOwnCaller(tables, organizationId, by) }
      const result = await transactWithEntry(client, tables.auditLog, entry, writes)
      return result.kind === 'written' ? 'written' : 'conflict'
    },

    async changeRoles(organizationId, { by, changes, entry }) {
      // A change of the caller's own role has that role among its conditions already.
      const isOwn = changes.some(({ userId }) => userId === by.userId)
      const gained = changes.reduce((sum, change) => sum + ownersGained(change), 0)
      // At most one: a change of roles is of one member, and in a transfer of the caller too.
      const deposed = changes.find((change) => ownersGained(change) < 0)
      const countPromotedOrDeposed = () => {
        if (deposed) return deposeOwner(table, organizationId, { userId: deposed.userId, gained })
        return gained === 0 ? undefined : countOwners(table, organizationId, { gained })
      }
      const left = changes.filter(({ to }) => to === null)
      const promoted = changes.filter((change) => ownersGained(change) > 0)
      const { owner, caller } = checkOwnCaller(tables, organizationId, by)
      const result = await transactWithEntry(client, tables.auditLog, entry, {
        roles: changes.flatMap((change) => changeRole(tables, organizationId, change, entry)),
        owner: isOwn ? undefined : owner,
        caller,
        owners: countPromotedOrDeposed(),
        unlisted: left.map(({ userId }) => unlistForUser(table, organizationId, userId)),
        apart: left.map(({ userId }) => keepApart(table, organizationId, userId)),
        promoted: promoted.map(({ userId }) => admitOwner(tables.accounts, userId)),
      })
      if (result.kind === 'written') return 'written'
      const { failed, stored } = result
      if (failed.has('roles') || failed.has('owner') || failed.has('caller')) return 'conflict'
      if (deposed && stored.owners && isBreakGlassOwner(stored.owners, deposed.userId)) return 'conflict'
      if (failed.has('owners')) return 'last_owner'
      return failed.has('promoted') ? 'member_deleting' : 'conflict'
    },
  }
}
