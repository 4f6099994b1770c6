import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { authenticationSchema, UNKNOWN_AUTHENTICATION } from '../../core/authentication.ts'
import { NO_REVISION } from '../../core/grant.ts'
import { userIdSchema } from '../../core/ids.ts'
import type { Sessions } from '../../oauth/ports.ts'
import { type SecretDigest, secretDigestSchema } from '../../oauth/secretDigest.ts'
import { SESSION_CODES } from '../../oauth/sessionCodes.ts'
import { callStore } from './callStore.ts'
import { readItem } from './readItems.ts'

function sessionKey(digest: SecretDigest) {
  return { pk: `SESSION#${digest}`, sk: 'SESSION' }
}

const sessionItem = z.object({
  userId: userIdSchema,
  securityRev: z.number().int().default(NO_REVISION),
  authentication: authenticationSchema.default(UNKNOWN_AUTHENTICATION),
  validUntil: z.number().int(),
  /** Sessions that were started before codes were noted have none. */
  codes: z.array(secretDigestSchema).default([]),
})

/** Sessions of the hosted pages in the table `accounts`, by the digest of their secret. */
export function createSessions(client: DynamoDBDocumentClient, TableName: string): Sessions {
  return {
    async find(digest) {
      const item = await readItem(client, TableName, sessionKey(digest))
      return item && sessionItem.parse(item)
    },

    async start(digest, { userId, securityRev, authentication, validUntil, codes }) {
      const expiresAt = Math.ceil(validUntil / 1000)
      const Item = { ...sessionKey(digest), userId, securityRev, authentication, validUntil, codes, expiresAt }
      await callStore(() => client.send(new PutCommand({ TableName, Item })))
    },

    async addCode(digest, code) {
      const command = new UpdateCommand({
        TableName,
        Key: sessionKey(digest),
        UpdateExpression: 'SET codes = list_append(if_not_exists(codes, :none), :code)',
        ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(codes) OR size(codes) < :max)',
        ExpressionAttributeValues: { ':none': [], ':code': [code], ':max': SESSION_CODES },
      })
      try {
        await callStore(() => client.send(command))
        return true
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false
        throw error
      }
    },

    async end(digest) {
      const command = new DeleteCommand({ TableName, Key: sessionKey(digest), ReturnValues: 'ALL_OLD' })
      const { Attributes } = await callStore(() => client.send(command))
      return Attributes && sessionItem.parse(Attributes)
    },
  }
}
