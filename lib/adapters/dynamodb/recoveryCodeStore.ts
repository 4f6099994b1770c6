import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { RecoveryCodeStore } from '../../authenticators/ports.ts'
import { additionAttributes, authenticatorKey, requireCallerPassed } from './authenticatorKeys.ts'
import { checkCaller } from './callerStore.ts'
import { transactWrite } from './kit/transactWrite.ts'

const UNUSED = 0

/** A user's codes as stored: the digest of each, with the time when it was used in Unix milliseconds, or 0. */
const storedCodes = z.object({
  codes: z.record(z.string(), z.int()),
  ...additionAttributes,
  lastUsedAt: z.int(),
})

/** A user's codes as they are counted. */
export const recoveryCodesItem = z.pipe(
  storedCodes,
  z.transform(({ codes, ...times }) => ({
    left: Object.values(codes).filter((usedAt) => usedAt === UNUSED).length,
    ...times,
  })),
)

/** The recovery codes of users in the table `accounts`, an item per user. */
export function createRecoveryCodeStore(client: DynamoDBDocumentClient, TableName: string): RecoveryCodeStore {
  return {
    async replace(by, digests, addition) {
      const codes = Object.fromEntries(digests.map((digest) => [digest, UNUSED]))
      const item = storedCodes.parse({ codes, ...addition, lastUsedAt: addition.createdAt })
      const put = { Put: { TableName, Item: { ...authenticatorKey(by.userId, 'RECOVERY_CODES'), ...item } } }
      requireCallerPassed(await transactWrite(client, { caller: checkCaller(TableName, by), codes: put }))
    },

    async use(userId, digest, now) {
      // A transaction, because it uses the code only once even if the SDK repeats it after a lost answer.
      const result = await transactWrite(client, {
        codes: {
          Update: {
            TableName,
            Key: authenticatorKey(userId, 'RECOVERY_CODES'),
            UpdateExpression: 'SET codes.#digest = :now, lastUsedAt = :now',
            ConditionExpression: 'codes.#digest = :unused',
            ExpressionAttributeNames: { '#digest': digest },
            ExpressionAttributeValues: { ':now': now, ':unused': UNUSED },
          },
        },
      })
      return result.kind === 'written'
    },
  }
}
