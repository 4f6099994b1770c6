import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { scopes } from '../../core/scopes.ts'
import { originsOf } from '../../oauth/client/clientOrigins.ts'
import { clientTypeSchema, grantTypeSchema, type OAuthClient } from '../../oauth/oauthClient.ts'
import type { ClientOrigins, OAuthClientRegistry, OAuthClients } from '../../oauth/ports.ts'
import { secretDigestSchema } from '../../oauth/secretDigest.ts'
import { oauthClientKey } from './keys.ts'
import { callStore } from './kit/callStore.ts'
import { readParsed, scanItems } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'

const wellFormedId = /^[A-Za-z0-9_-]{1,128}$/

/** If the id is malformed, a key that no client has is looked up, so that the answer takes as long. */
function clientKey(clientId: string) {
  return oauthClientKey(wellFormedId.test(clientId) ? clientId : '')
}

const clientItem = z.object({
  clientId: z.string().check(z.regex(wellFormedId)),
  type: clientTypeSchema,
  name: z.string(),
  secretDigests: z.array(secretDigestSchema).check(z.maxLength(2)),
  grantTypes: z.array(grantTypeSchema),
  scopes: z.exactOptional(z.array(z.enum(scopes))),
  redirectUris: z.array(z.string()),
  postLogoutRedirectUris: z.array(z.string()),
  disabled: z.boolean(),
  securityRev: z.exactOptional(z.int()),
  firstParty: z.exactOptional(z.boolean()),
  introspectsAnyToken: z.exactOptional(z.boolean()),
})

/** Items from before there were public clients have a single digest, and no type, name, logout addresses or switch. */
const storedItem = z.pipe(
  z.transform((item: unknown) => {
    const old = z.looseObject({ clientId: z.string(), secretDigest: z.string() }).safeParse(item).data
    if (old === undefined) return item
    const { clientId, secretDigest } = old
    const since = { type: 'confidential', name: clientId, postLogoutRedirectUris: [], disabled: false }
    return { ...since, ...old, secretDigests: [secretDigest] }
  }),
  clientItem,
)

function toItem(oauthClient: OAuthClient) {
  return { ...clientKey(oauthClient.clientId), ...clientItem.parse(oauthClient) }
}

/** Registered clients in the table `accounts`. Every write of a client also writes its origins. */
export function createOAuthClients(
  client: DynamoDBDocumentClient,
  TableName: string,
): OAuthClients &
  OAuthClientRegistry & {
    /** Registers a client, or replaces it. */
    put(oauthClient: OAuthClient): Promise<void>
  } {
  /** Writes the client if the condition holds; returns whether it was written. */
  async function putIf(
    oauthClient: OAuthClient,
    condition: Omit<NonNullable<TransactItem['Put']>, 'TableName' | 'Item'> = {},
  ): Promise<boolean> {
    const put = { Put: { TableName, Item: toItem(oauthClient), ...condition } }
    const result = await transactWrite(client, { client: put, origins: putOrigins(TableName, oauthClient) })
    return result.kind === 'written'
  }

  return {
    find: (clientId) => readParsed(client, TableName, clientKey(clientId), storedItem),

    async list() {
      const items = await scanItems(client, {
        TableName,
        ConsistentRead: true,
        FilterExpression: 'sk = :sk',
        ExpressionAttributeValues: { ':sk': 'CLIENT' },
      })
      const clients = items.map((item) => storedItem.parse(item))
      return clients.sort((a, b) => (a.clientId < b.clientId ? -1 : 1))
    },

    create: (oauthClient) => putIf(oauthClient, { ConditionExpression: 'attribute_not_exists(pk)' }),

    replace: (before, after) =>
      putIf(after, {
        // An attribute that an old item lacks cannot have changed, because every change writes a whole new item.
        ConditionExpression: ['secretDigests', 'redirectUris', 'postLogoutRedirectUris', 'disabled']
          .map((name) => `(attribute_not_exists(${name}) OR ${name} = :${name})`)
          .concat('attribute_exists(pk)', before.scopes ? 'scopes = :scopes' : 'attribute_not_exists(scopes)')
          .join(' AND '),
        ExpressionAttributeValues: {
          ':secretDigests': before.secretDigests,
          ':redirectUris': before.redirectUris,
          ':postLogoutRedirectUris': before.postLogoutRedirectUris,
          ':disabled': before.disabled,
          ...(before.scopes && { ':scopes': before.scopes }),
        },
      }),

    async put(oauthClient) {
      await putIf(oauthClient)
    },
  }
}

/** The item with the origins of all clients, an attribute for each client: a function reads them in a single call. */
export const ORIGINS_KEY = { pk: 'CLIENT_ORIGINS', sk: 'CLIENT_ORIGINS' } as const

const ofClient = 'client#'

const originsItem = z.pipe(
  z.looseObject({ pk: z.string(), sk: z.string() }),
  z.transform(({ pk: _pk, sk: _sk, ...clients }) => z.record(z.string(), z.array(z.string())).parse(clients)),
)

/** The write of a client's origins that belongs to the transaction of every write of the client. */
function putOrigins(TableName: string, client: OAuthClient): TransactItem {
  const origins = originsOf(client)
  return {
    Update: {
      TableName,
      Key: ORIGINS_KEY,
      ExpressionAttributeNames: { '#client': `${ofClient}${client.clientId}` },
      ...(origins.length > 0
        ? { UpdateExpression: 'SET #client = :origins', ExpressionAttributeValues: { ':origins': origins } }
        : { UpdateExpression: 'REMOVE #client' }),
    },
  }
}

/** The origins of all clients, in the table `accounts`. */
export function createClientOrigins(client: DynamoDBDocumentClient, TableName: string): ClientOrigins {
  return {
    async list(abortSignal) {
      const { Item } = await callStore(() =>
        client.send(new GetCommand({ TableName, Key: ORIGINS_KEY }), { abortSignal }),
      )
      return Item === undefined ? [] : [...new Set(Object.values(originsItem.parse(Item)).flat())]
    },
  }
}
