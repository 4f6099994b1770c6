import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { OperatedAccounts } from '../../organizations/ports.ts'
import { toAccount } from './account.ts'
import { putAuditEntry } from './auditEntry.ts'
import { atRevision } from './caller.ts'
import { membershipViewKeys, ownOrganizationsIn, parseListEntry, queryOfOrganizations } from './membership.ts'
import { queryItems, readTables } from './readItems.ts'
import { transactWrite } from './transactWrite.ts'
import { userKey } from './userKey.ts'

/** DynamoDB takes 100 items in a transaction: so many beside the account. */
const ENTRIES_WITH_CHANGE = 99

/** `OperatedAccounts` on DynamoDB, in the tables `accounts`, `billing` (memberships) and `auditLog`. */
export function createOperatedAccounts(
  client: DynamoDBDocumentClient,
  tables: { accounts: string; billing: string; auditLog: string | undefined },
): OperatedAccounts {
  return {
    async find(userId) {
      const ids = (await queryItems(client, queryOfOrganizations(tables.billing, userId))).map(parseListEntry)
      const item = await readTables(client, [
        { table: tables.accounts, keys: [userKey(userId)] },
        { table: tables.billing, keys: ids.flatMap((id) => membershipViewKeys(id, [userId])) },
      ])
      const user = item(userKey(userId))
      return user && { account: toAccount(user), organizations: ownOrganizationsIn(item, ids, userId) }
    },

    async change({ user, securityRev }, { isActive, grantsEnd }, entries) {
      const puts = entries.map((entry) => putAuditEntry(tables.auditLog, entry))
      for (let at = ENTRIES_WITH_CHANGE; at < puts.length; at += ENTRIES_WITH_CHANGE)
        await transactWrite(client, puts.slice(at, at + ENTRIES_WITH_CHANGE))
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
      const outcome = await transactWrite(client, [{ Update: update }, ...puts.slice(0, ENTRIES_WITH_CHANGE)])
      return outcome === null ? 'changed' : 'conflict'
    },
  }
}
