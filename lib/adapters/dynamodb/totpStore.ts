import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { TotpAuthenticators } from '../../authenticators/ports.ts'
import { authenticatorKey, requireCallerPassed } from './authenticatorKeys.ts'
import { checkCaller } from './callerStore.ts'
import { readParsed } from './kit/readItems.ts'
import { transactWrite } from './kit/transactWrite.ts'
import { markSecondFactor, remainingWithoutTotp, removeMarked } from './secondFactorMark.ts'

/** A user's TOTP as stored. */
export const totpItem = z.object({
  cipher: z.string(),
  lastStep: z.int(),
  createdAt: z.int(),
  lastUsedAt: z.int(),
})

const pendingItem = z.object({ id: z.string(), cipher: z.string(), validUntil: z.int() })

/** The TOTP of users, confirmed and pending, in the table `accounts`. DynamoDB deletes a pending TOTP some time after its end. */
export function createTotpAuthenticators(client: DynamoDBDocumentClient, TableName: string): TotpAuthenticators {
  return {
    find: (userId) => readParsed(client, TableName, authenticatorKey(userId, 'TOTP'), totpItem),

    findPending: (userId) => readParsed(client, TableName, authenticatorKey(userId, 'TOTP_PENDING'), pendingItem),

    async begin(by, pending) {
      const expiresAt = Math.ceil(pending.validUntil / 1000)
      const Item = { ...authenticatorKey(by.userId, 'TOTP_PENDING'), ...pendingItem.parse(pending), expiresAt }
      const put = { Put: { TableName, Item } }
      requireCallerPassed(await transactWrite(client, { caller: checkCaller(TableName, by), pending: put }))
    },

    async confirm(by, { id }, totp) {
      const result = await transactWrite(client, {
        caller: markSecondFactor(TableName, by, true),
        pending: {
          Delete: {
            TableName,
            Key: authenticatorKey(by.userId, 'TOTP_PENDING'),
            ConditionExpression: 'id = :id AND validUntil > :now',
            ExpressionAttributeValues: { ':id': id, ':now': totp.createdAt },
          },
        },
        totp: {
          Put: {
            TableName,
            Item: { ...authenticatorKey(by.userId, 'TOTP'), ...totpItem.parse(totp) },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      })
      if (result.kind === 'written') return 'confirmed'
      requireCallerPassed(result)
      return result.failed.has('pending') ? 'gone' : 'exists'
    },

    async takeStep(userId, { cipher }, { step, now }) {
      // A transaction, because it takes the step only once even if the SDK repeats it after a lost answer.
      const result = await transactWrite(client, {
        totp: {
          Update: {
            TableName,
            Key: authenticatorKey(userId, 'TOTP'),
            UpdateExpression: 'SET lastStep = :step, lastUsedAt = :now',
            ConditionExpression: 'cipher = :cipher AND lastStep < :step',
            ExpressionAttributeValues: { ':cipher': cipher, ':step': step, ':now': now },
          },
        },
      })
      return result.kind === 'written' ? 'taken' : 'refused'
    },

    async remove(by) {
      const totp = { TableName, Key: authenticatorKey(by.userId, 'TOTP'), ConditionExpression: 'attribute_exists(pk)' }
      const reset = { TableName, Key: authenticatorKey(by.userId, 'RESET') }
      return removeMarked(client, TableName, {
        by,
        factor: [{ Delete: totp }, { Delete: reset }],
        remaining: remainingWithoutTotp(TableName, by.userId),
      })
    },
  }
}
