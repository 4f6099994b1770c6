import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { grantTypeSchema, type OAuthClient, type OAuthClients, secretDigestSchema } from '../../oauth/ports.ts'
import { callStore } from './callStore.ts'

const wellFormedId = /^[A-Za-z0-9_-]{1,128}$/

/** An id that no client can have is looked up as well, under a key that no client has, so that it takes as long. */
function clientKey(clientId: string) {
  return { pk: `CLIENT#${wellFormedId.test(clientId) ? clientId : ''}`, sk: 'CLIENT' }
}

const clientItem = z.object({
  clientId: z.string().regex(wellFormedId),
  secretDigest: secretDigestSchema,
  grantTypes: z.array(grantTypeSchema),
  redirectUris: z.array(z.string()),
})

/** Registered clients in the table `accounts`. */
export function createOAuthClients(
  client: DynamoDBDocumentClient,
  tableName: string,
): OAuthClients & {
  /** Registers a client, or replaces it. */
  put(oauthClient: OAuthClient): Promise<void>
} {
  return {
    async find(clientId) {
      const { Item } = await callStore(() =>
        client.send(new GetCommand({ TableName: tableName, Key: clientKey(clientId), ConsistentRead: true })),
      )
      return Item && clientItem.parse(Item)
    },

    async put(oauthClient) {
      const Item = { ...clientKey(oauthClient.clientId), ...clientItem.parse(oauthClient) }
      await callStore(() => client.send(new PutCommand({ TableName: tableName, Item })))
    },
  }
}
