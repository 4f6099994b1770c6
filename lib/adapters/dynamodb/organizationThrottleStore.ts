import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { OrganizationThrottles } from '../../organizations/ports.ts'
import { transactWithEntry } from './auditLogStore.ts'
import { readItems } from './kit/readItems.ts'
import { organizationKey, parseOrganization } from './organizationItem.ts'
import type { TableNames } from './tables.ts'

/** `OrganizationThrottles` on DynamoDB, in the tables `billing` and `auditLog`. */
export function createOrganizationThrottles(
  client: DynamoDBDocumentClient,
  { billing: TableName, auditLog }: TableNames,
): OrganizationThrottles {
  return {
    async find(organizationId) {
      const key = organizationKey(organizationId)
      const item = (await readItems(client, TableName, [key]))(key)
      return item && parseOrganization(item)
    },

    async set(organizationId, throttle, entry) {
      const change =
        throttle === null
          ? { UpdateExpression: 'REMOVE throttle' }
          : { UpdateExpression: 'SET throttle = :throttle', ExpressionAttributeValues: { ':throttle': throttle } }
      const Key = organizationKey(organizationId)
      const Update = { TableName, Key, ConditionExpression: 'attribute_exists(pk)', ...change }
      const result = await transactWithEntry(client, auditLog, entry, { organization: { Update } })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}
