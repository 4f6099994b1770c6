import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { apiClientIdOf, partsOfApiClientId } from '../../core/ids.ts'
import type { OperatedApiClients } from '../../organizations/ports.ts'
import { createApiClients } from './apiClientStore.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { apiClientKey } from './keys.ts'
import type { TableNames } from './tables.ts'

/** `OperatedApiClients` on DynamoDB, in the tables `accounts` and `auditLog`. */
export function createOperatedApiClients(client: DynamoDBDocumentClient, tables: TableNames): OperatedApiClients {
  const { find } = createApiClients(client, tables)
  return {
    find(clientId) {
      const { organizationId, id } = partsOfApiClientId(clientId)
      return find(organizationId, id)
    },

    async changeScopes({ organizationId, id, scopes: before }, scopes, entry) {
      const update = {
        TableName: tables.accounts,
        Key: apiClientKey(apiClientIdOf(organizationId, id)),
        UpdateExpression: 'SET scopes = :scopes',
        ConditionExpression: 'scopes = :before',
        ExpressionAttributeValues: { ':scopes': scopes, ':before': before },
      }
      const result = await transactWithEntry(client, tables.auditLog, entry, { client: { Update: update } })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}
