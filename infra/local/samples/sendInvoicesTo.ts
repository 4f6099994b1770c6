import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { organizationKey } from '../../../lib/adapters/dynamodb/organizationItem.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import type { LocalInfo } from '../info.ts'
import { readSettings } from '../settings.ts'

/**
 * Makes an organization of a local stack, which has bought nothing yet, one that is sent invoices, for sample events and tests.
 * @param daysUntilDue in how many days its invoices are due
 */
export async function sendInvoicesTo(info: LocalInfo, organizationId: string, daysUntilDue: number): Promise<void> {
  const client = createDocumentClient({ endpoint: info.dynamodb_endpoint, region: readSettings(process.env).region })
  try {
    await client.send(
      new UpdateCommand({
        TableName: info.tables.billing,
        Key: organizationKey(organizationIdSchema.parse(organizationId)),
        UpdateExpression: 'SET gateway = :gateway, daysUntilDue = :days',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':gateway': 'invoice', ':days': daysUntilDue },
      }),
    )
  } finally {
    client.destroy()
  }
}
