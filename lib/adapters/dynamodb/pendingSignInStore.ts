import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { userIdSchema } from '../../core/ids.ts'
import { type SecretDigest, secretDigestSchema } from '../../oauth/secretDigest.ts'
import type { PendingSignIns } from '../../signIn/ports.ts'
import { callStore } from './kit/callStore.ts'
import { readItem } from './kit/readItems.ts'

function pendingKey(digest: SecretDigest) {
  return { pk: `PENDING_SIGN_IN#${digest}`, sk: 'PENDING_SIGN_IN' }
}

const pendingItem = z.object({
  userId: userIdSchema,
  securityRev: z.int(),
  validUntil: z.int(),
  replaces: z.optional(secretDigestSchema),
})

/** Sign-ins between the password and the second factor in the table `accounts`, by the digest of their secret. */
export function createPendingSignIns(client: DynamoDBDocumentClient, TableName: string): PendingSignIns {
  return {
    async find(digest) {
      const item = await readItem(client, TableName, pendingKey(digest))
      return item && pendingItem.parse(item)
    },

    async begin(digest, pending) {
      const expiresAt = Math.ceil(pending.validUntil / 1000)
      const Item = { ...pendingKey(digest), ...pendingItem.parse(pending), expiresAt }
      await callStore(() => client.send(new PutCommand({ TableName, Item })))
    },

    async end(digest) {
      const command = new DeleteCommand({ TableName, Key: pendingKey(digest), ReturnValues: 'ALL_OLD' })
      const { Attributes } = await callStore(() => client.send(command))
      return Attributes && pendingItem.parse(Attributes)
    },
  }
}
