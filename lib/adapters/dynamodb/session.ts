import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { userIdSchema } from '../../core/ids.ts'
import type { Sessions } from '../../oauth/ports.ts'
import type { SecretDigest } from '../../oauth/secretDigest.ts'
import { callStore } from './callStore.ts'
import { readItem } from './readItems.ts'

function sessionKey(digest: SecretDigest) {
  return { pk: `SESSION#${digest}`, sk: 'SESSION' }
}

const sessionItem = z.object({
  userId: userIdSchema,
  createdAt: z.number().int(),
  validUntil: z.number().int(),
})

/** Sessions of the hosted pages in the table `accounts`, by the digest of their secret. */
export function createSessions(client: DynamoDBDocumentClient, TableName: string): Sessions {
  return {
    async find(digest) {
      const item = await readItem(client, TableName, sessionKey(digest))
      return item && sessionItem.parse(item)
    },

    async start(digest, { userId, createdAt, validUntil }) {
      const expiresAt = Math.ceil(validUntil / 1000)
      const Item = { ...sessionKey(digest), userId, createdAt, validUntil, expiresAt }
      await callStore(() => client.send(new PutCommand({ TableName, Item })))
    },

    async end(digest) {
      await callStore(() => client.send(new DeleteCommand({ TableName, Key: sessionKey(digest) })))
    },
  }
}
