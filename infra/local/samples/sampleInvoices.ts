import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { organizationKey } from '../../../lib/adapters/dynamodb/organizationItem.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { productAt } from '../../data/catalog.ts'
import type { LocalInfo } from '../info.ts'
import type { LocalClient } from '../localClient.ts'
import { readSettings } from '../settings.ts'

/** Creates an organization that pays by invoice, but lacks the email and address that invoices need. Returns its id. */
export async function unaddressedOrganization(client: LocalClient, daysUntilDue = 30): Promise<string> {
  const organizationId = await client.newOrganization()
  await sendInvoicesTo(client.info, organizationId, daysUntilDue)
  return organizationId
}

/** Creates an organization that pays by invoice, with the billing details that invoices need. Returns its id. */
export async function invoicedOrganization(client: LocalClient, daysUntilDue = 30): Promise<string> {
  const organizationId = await unaddressedOrganization(client, daysUntilDue)
  const address = { line1: 'Lindenstraße 1', postal_code: '10969', city: 'Berlin', country: 'DE' }
  const body = { name: 'Example GmbH', email: 'accounting@example.com', address }
  await send(client, 'PATCH', `/api/billing/details?organization_id=${organizationId}`, body)
  return organizationId
}

/** Also buys the first product and finalizes its invoice, which is otherwise a draft for an hour. Returns the organization's id. */
export async function openInvoiceOrganization(client: LocalClient, daysUntilDue = 30): Promise<string> {
  const organizationId = await invoicedOrganization(client, daysUntilDue)
  const body = { product_codes: [productAt(1).planCode] }
  await send(client, 'POST', `/api/billing/checkout?organization_id=${organizationId}`, body)
  for await (const { metadata, latest_invoice: invoice } of client.stripe.subscriptions.list({ limit: 100 })) {
    if (metadata.organization_id === organizationId && typeof invoice === 'string')
      await client.stripe.invoices.finalizeInvoice(invoice)
  }
  await client.deliverWebhooks()
  return organizationId
}

async function send(client: LocalClient, method: 'PATCH' | 'POST', path: string, body: object): Promise<void> {
  const answer = await client.send({ method, path, token: await client.accessToken('owner'), body })
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
}

/**
 * Switches an organization of a local stack to invoices, for sample events and tests. Use it only if the organization has bought nothing.
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
