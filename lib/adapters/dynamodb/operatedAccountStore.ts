import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { AuditEntry, OperatedAccounts } from '../../organizations/ports.ts'
import { toAccount } from './accountStore.ts'
import { putAuditEntry } from './auditLogStore.ts'
import { atRevision } from './callerStore.ts'
import { deleteDue, restoreOrganizationItems, whileScheduled } from './deletionItems.ts'
import { userKey } from './keys.ts'
import { readTables } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { listOfUser, membershipViewKeys, ownOrganizationsIn } from './membershipStore.ts'
import type { TableNames } from './tables.ts'

/** So many items DynamoDB takes in a transaction. */
const MAX_ITEMS = 100

/** Writes the entries for which there is no room beside `writes`, then the others with these. */
export async function writeWithEntries(
  client: DynamoDBDocumentClient,
  auditLog: string | undefined,
  { writes, entries }: { writes: TransactItem[]; entries: readonly AuditEntry[] },
): Promise<'changed' | 'conflict'> {
  const puts = entries.map((entry) => putAuditEntry(auditLog, entry))
  const room = MAX_ITEMS - writes.length
  for (let at = room; at < puts.length; at += MAX_ITEMS) {
    await transactWrite(client, { entries: puts.slice(at, at + MAX_ITEMS) })
  }
  const result = await transactWrite(client, { writes, entries: puts.slice(0, room) })
  return result.kind === 'written' ? 'changed' : 'conflict'
}

/** `OperatedAccounts` on DynamoDB, in the tables `accounts`, `billing` (memberships) and `auditLog`. */
export function createOperatedAccounts(client: DynamoDBDocumentClient, tables: TableNames): OperatedAccounts {
  return {
    async find(userId) {
      const ids = await listOfUser(client, tables.billing, userId)
      const item = await readTables(client, [
        { table: tables.accounts, keys: [userKey(userId)] },
        { table: tables.billing, keys: ids.flatMap((id) => membershipViewKeys(id, [userId])) },
      ])
      const user = item(userKey(userId))
      return user && { account: toAccount(user), organizations: ownOrganizationsIn(item, ids, userId) }
    },

    async change({ user, securityRev }, { isActive, grantsEnd }, entries) {
      const update = {
        TableName: tables.accounts,
        Key: userKey(user.id),
        UpdateExpression: `SET isActive = :to, securityRev = :next${grantsEnd ? ' REMOVE keptFamily' : ''}`,
        ConditionExpression: `isActive = :from AND (${atRevision(securityRev).join(' OR ')})`,
        ExpressionAttributeValues: {
          ':from': user.isActive,
          ':to': isActive,
          ':rev': securityRev,
          ':next': grantsEnd ? securityRev + 1 : securityRev,
        },
      }
      return writeWithEntries(client, tables.auditLog, { writes: [{ Update: update }], entries })
    },

    async takeDeletionBack({ user, securityRev }, deletion, entries) {
      const { ConditionExpression, ExpressionAttributeValues } = whileScheduled(deletion)
      const switchOn = {
        TableName: tables.accounts,
        Key: userKey(user.id),
        UpdateExpression: 'SET isActive = :true, securityRev = :next REMOVE deletion',
        ConditionExpression: `${ConditionExpression} AND (${atRevision(securityRev).join(' OR ')})`,
        ExpressionAttributeValues: {
          ...ExpressionAttributeValues,
          ':true': true,
          ':rev': securityRev,
          ':next': securityRev + 1,
        },
      }
      const writes = [
        { Update: switchOn },
        ...deleteDue(tables.accounts, user.id, deletion),
        ...deletion.organizations.flatMap((id) => restoreOrganizationItems(tables.billing, id, deletion)),
      ]
      return writeWithEntries(client, tables.auditLog, { writes, entries })
    },
  }
}
