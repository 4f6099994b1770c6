import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { TotpAuthenticators } from '../../authenticators/ports.ts'
import { additionAttributes, authenticatorKey, requireCallerPassed } from './authenticatorKeys.ts'
import { checkCaller } from './callerStore.ts'
import { storeUnavailable } from './kit/callStore.ts'
import { readParsed } from './kit/readItems.ts'
import { transactWrite } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'
import { markSecondFactor, remainingWithoutTotp, removeMarked } from './secondFactorMark.ts'

/** A user's TOTP as stored. */
export const totpItem = z.object({
  cipher: z.string(),
  lastStep: z.int(),
  failedAtRev: z.optional(z.int()),
  ...additionAttributes,
  lastUsedAt: z.int(),
})

/** The attributes that count failed tries, by the browsers in which they were made. */
const failedIn = { known: 'failedInKnown', pending: 'failedInPending' } as const

/** Twice only if another try, or another revision of the account, came in between. */
const COUNTING_TRIES = 3

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

    async countTry(userId, { cipher }, { securityRev, from, limit }) {
      const { [from]: own, ...others } = failedIn
      const item = { TableName, Key: authenticatorKey(userId, 'TOTP') }
      const values = { ':cipher': cipher, ':rev': securityRev, ':one': 1 }
      for (let tries = 0; tries < COUNTING_TRIES; tries += 1) {
        const another = await updateItem(client, {
          ...item,
          UpdateExpression: `ADD ${own} :one`,
          ConditionExpression: `cipher = :cipher AND failedAtRev = :rev AND (attribute_not_exists(${own}) OR ${own} < :limit)`,
          ExpressionAttributeValues: { ...values, ':limit': limit },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        })
        if (another.kind === 'written') return 'counted'
        const stored = z.optional(totpItem).parse(another.stored)
        if (stored?.cipher !== cipher || stored.failedAtRev === securityRev) return 'full'
        const first = await updateItem(client, {
          ...item,
          UpdateExpression: `SET failedAtRev = :rev, ${own} = :one REMOVE ${Object.values(others).join(', ')}`,
          ConditionExpression: 'cipher = :cipher AND (attribute_not_exists(failedAtRev) OR failedAtRev < :rev)',
          ExpressionAttributeValues: values,
        })
        if (first.kind === 'written') return 'counted'
      }
      throw storeUnavailable(new Error('tries counted concurrently'))
    },

    async forgive(userId) {
      await updateItem(client, {
        TableName,
        Key: authenticatorKey(userId, 'TOTP'),
        UpdateExpression: `REMOVE failedAtRev, ${Object.values(failedIn).join(', ')}`,
        ConditionExpression: 'attribute_exists(pk)',
      })
    },

    async takeStep(userId, { cipher }, { step, now, from }) {
      // A transaction, because it takes the step only once even if the SDK repeats it after a lost answer.
      const result = await transactWrite(client, {
        totp: {
          Update: {
            TableName,
            Key: authenticatorKey(userId, 'TOTP'),
            UpdateExpression: `SET lastStep = :step, lastUsedAt = :now REMOVE ${failedIn[from]}`,
            ConditionExpression: 'cipher = :cipher AND lastStep < :step',
            ExpressionAttributeValues: { ':cipher': cipher, ':step': step, ':now': now },
          },
        },
      })
      return result.kind === 'written' ? 'taken' : 'refused'
    },

    async remove(by) {
      const totp = { TableName, Key: authenticatorKey(by.userId, 'TOTP'), ConditionExpression: 'attribute_exists(pk)' }
      return removeMarked(client, TableName, {
        by,
        factor: [{ Delete: totp }],
        remaining: remainingWithoutTotp(TableName, by.userId),
      })
    },
  }
}
