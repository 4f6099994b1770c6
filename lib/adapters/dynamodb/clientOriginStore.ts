import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { originsOf } from '../../oauth/client/clientOrigins.ts'
import type { OAuthClient } from '../../oauth/oauthClient.ts'
import type { ClientOrigins } from '../../oauth/ports.ts'
import { callStore } from './kit/callStore.ts'
import type { TransactItem } from './kit/transactWrite.ts'

/** The item with the origins of all clients, an attribute for each client: a function reads them in a single call. */
export const ORIGINS_KEY = { pk: 'CLIENT_ORIGINS', sk: 'CLIENT_ORIGINS' } as const

const ofClient = 'client#'

const originsItem = z.pipe(
  z.looseObject({ pk: z.string(), sk: z.string() }),
  z.transform(({ pk: _pk, sk: _sk, ...clients }) => z.record(z.string(), z.array(z.string())).parse(clients)),
)

/** The write of a client's origins that belongs to the transaction of every write of the client. */
export function putOrigins(TableName: string, client: OAuthClient): TransactItem {
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
