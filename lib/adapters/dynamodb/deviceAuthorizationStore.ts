import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { userIdSchema } from '../../core/ids.ts'
import type { DeviceAuthorizations } from '../../oauth/ports.ts'
import { type SecretDigest, secretDigestSchema } from '../../oauth/secretDigest.ts'
import { KEPT_SECONDS, putCode } from './authorizationCodeStore.ts'
import { readParsed } from './kit/readItems.ts'
import { transactWrite } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'

/** How long an authorization without a decision is kept after its end: a device that still polls learns that it has expired. */
const UNDECIDED_SECONDS = 60 * 60

function deviceKey(digest: SecretDigest) {
  return { pk: `DEVICE#${digest}`, sk: 'DEVICE' }
}

function userCodeKey(digest: SecretDigest) {
  return { pk: `USER_CODE#${digest}`, sk: 'USER_CODE' }
}

const deviceItem = z.object({
  clientId: z.string(),
  scope: z.string(),
  sourceIp: z.string(),
  requestedAt: z.int(),
  validUntil: z.int(),
  intervalMilliseconds: z.int(),
  polledAt: z.exactOptional(z.int()),
  decision: z.exactOptional(z.enum(['allowed', 'denied'])),
  decidedBy: z.exactOptional(userIdSchema),
})

const userCodeItem = z.object({ device: secretDigestSchema })

/** Authorizations of devices in the table `accounts`, by the digests of both codes. */
export function createDeviceAuthorizations(client: DynamoDBDocumentClient, TableName: string): DeviceAuthorizations {
  const find = (device: SecretDigest) => readParsed(client, TableName, deviceKey(device), deviceItem)

  return {
    find,

    async findByUserCode(user) {
      const found = await readParsed(client, TableName, userCodeKey(user), userCodeItem)
      const authorization = found && (await find(found.device))
      return authorization && { ...authorization, device: found.device }
    },

    async begin({ device, user }, authorization) {
      const { requestedAt, validUntil } = authorization
      const expiresAt = Math.ceil(validUntil / 1000) + UNDECIDED_SECONDS
      const result = await transactWrite(client, {
        device: { Put: { TableName, Item: { ...deviceKey(device), ...authorization, expiresAt } } },
        userCode: {
          Put: {
            TableName,
            Item: { ...userCodeKey(user), device, validUntil, expiresAt },
            ConditionExpression: 'attribute_not_exists(pk) OR validUntil <= :now',
            ExpressionAttributeValues: { ':now': requestedAt },
          },
        },
      })
      return result.kind === 'written'
    },

    async notePoll(device, read, { polledAt, intervalMilliseconds }) {
      const isUnchanged = read.polledAt === undefined ? 'attribute_not_exists(polledAt)' : 'polledAt = :before'
      const result = await updateItem(client, {
        TableName,
        Key: deviceKey(device),
        UpdateExpression: 'SET polledAt = :polledAt, intervalMilliseconds = :interval',
        ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(decision) AND ${isUnchanged}`,
        ExpressionAttributeValues: {
          ':polledAt': polledAt,
          ':interval': intervalMilliseconds,
          ...(read.polledAt !== undefined && { ':before': read.polledAt }),
        },
      })
      return result.kind === 'written'
    },

    async decide(device, decided, now) {
      const { decision } = decided
      const userId = decided.decision === 'allowed' ? decided.code.userId : decided.userId
      const result = await transactWrite(client, {
        device: {
          Update: {
            TableName,
            Key: deviceKey(device),
            UpdateExpression: 'SET decision = :decision, decidedBy = :user, expiresAt = :expiresAt',
            ConditionExpression: 'validUntil > :now AND attribute_not_exists(decision)',
            ExpressionAttributeValues: {
              ':decision': decision,
              ':user': userId,
              ':now': now,
              ':expiresAt': Math.floor(now / 1000) + KEPT_SECONDS,
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        code: decided.decision === 'allowed' ? putCode(TableName, device, decided.code) : undefined,
      })
      if (result.kind === 'written') return true
      const stored = result.stored.device && deviceItem.parse(result.stored.device)
      return stored?.decision === decision && stored.decidedBy === userId
    },
  }
}
