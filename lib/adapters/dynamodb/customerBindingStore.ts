import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { CustomerBindings } from '../../billing/slot/ports.ts'
import { parseBillingAccount } from './billingAccountStore.ts'
import { scanItems } from './kit/readItems.ts'
import { updateItem } from './kit/writeItem.ts'
import { organizationKey } from './organizationItem.ts'

/** `CustomerBindings` on DynamoDB, in the table `billing`. */
export function createCustomerBindings(client: DynamoDBDocumentClient, TableName: string): CustomerBindings {
  return {
    async list() {
      const items = await scanItems(client, {
        TableName,
        ConsistentRead: true,
        FilterExpression: 'sk = :account AND (attribute_exists(custDigest) OR attribute_exists(formerCustomers))',
        ExpressionAttributeValues: { ':account': 'ACCOUNT' },
      })
      return items.map(parseBillingAccount)
    },

    async replaceCipher({ organizationId, customer, formerCustomers = [] }, { digest, cipher: from }, to) {
      const former = formerCustomers.findIndex((one) => one.digest === digest)
      const isCurrent = customer?.digest === digest
      const own = isCurrent
        ? { cipher: 'custCipher', digest: 'custDigest' }
        : { cipher: `formerCustomers[${former}].cipher`, digest: `formerCustomers[${former}].digest` }
      const result = await updateItem(client, {
        TableName,
        Key: organizationKey(organizationId),
        UpdateExpression: `SET ${own.cipher} = :to`,
        ConditionExpression: `${own.digest} = :digest AND ${own.cipher} = :from`,
        ExpressionAttributeValues: { ':to': to, ':from': from, ':digest': digest },
      })
      return result.kind === 'written' ? 'written' : 'conflict'
    },
  }
}
