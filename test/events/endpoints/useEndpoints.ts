import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { DemoUser } from '../../../infra/data/demo.ts'
import { localKeys } from '../../../infra/data/demo.ts'
import { webhookUrl } from '../../../infra/local/samples/sampleWebhooks.ts'
import { createWebhookSecretCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { useBillingStack } from '../../support/billingStack.ts'

export const endpointAnswer = z.object({ id: z.string(), url: z.string(), secret: z.string().nullable().optional() })
const list = z.object({ webhook_endpoints: z.array(endpointAnswer), next_cursor: z.null() })
const stored = z.object({ secret: z.string(), previousSecret: z.string().optional() })

/** Requests about webhook endpoints to one stack. */
export function useEndpoints() {
  const bed = useBillingStack()
  const api = () => bed.stack.client
  const pathOf = (organizationId: string) => `/api/organizations/${organizationId}/webhook-endpoints`

  async function send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { as = 'owner', body, headers }: { as?: DemoUser; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    return api().send({ method, path, token: await api().accessToken(as), body, ...(headers && { headers }) })
  }

  /** A new organization with an endpoint, and the path of the endpoint. */
  async function open(settings: object = {}) {
    const organizationId = await api().newOrganization()
    const { body } = await send('POST', pathOf(organizationId), { body: { url: webhookUrl, ...settings } })
    const endpoint = endpointAnswer.parse(body)
    return { organizationId, endpoint, path: `${pathOf(organizationId)}/${endpoint.id}` }
  }

  const listOf = async (organizationId: string) =>
    list.parse((await send('GET', pathOf(organizationId))).body).webhook_endpoints

  const entriesOf = async (organizationId: string) =>
    (await bed.stack.auditEntries(organizationId)).map(({ action, target, detail }) => ({ action, target, detail }))

  /** The stored item of an endpoint. */
  async function itemOf(organizationId: string, id: string) {
    const Key = { pk: `ORG#${organizationId}`, sk: `ENDPOINT#${id}` }
    const { Item } = await bed.stack.documents.send(new GetCommand({ TableName: api().info.tables.events, Key }))
    return Item
  }

  /** The secrets of an endpoint, decrypted as delivery does. */
  async function secretsOf(organizationId: string, id: string) {
    const { secret, previousSecret } = stored.parse(await itemOf(organizationId, id))
    const client = createKmsClient({ endpoint: api().info.kms_endpoint, region: 'us-east-1' })
    const { decrypt } = createWebhookSecretCipher({ client, keyId: localKeys.customer })
    const owner = organizationIdSchema.parse(organizationId)
    const ciphers = previousSecret === undefined ? [secret] : [secret, previousSecret]
    const secrets = await Promise.all(ciphers.map((cipher) => decrypt(owner, cipher)))
    client.destroy()
    return secrets
  }

  /** What is stored of the deliveries of an endpoint, oldest first. */
  async function deliveriesOf(endpointId: string) {
    const query = {
      TableName: api().info.tables.events,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `ENDPOINT#${endpointId}` },
    }
    return (await bed.stack.documents.send(new QueryCommand(query))).Items ?? []
  }

  return { bed, api, send, pathOf, open, listOf, entriesOf, itemOf, secretsOf, deliveriesOf }
}
