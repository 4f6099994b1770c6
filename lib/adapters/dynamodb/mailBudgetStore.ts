import { createHash } from 'node:crypto'
import type { DynamoDBDocumentClient, UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { CommonError } from '../../core/errors.ts'
import type { MailBudgets, MailSubject } from '../../users/ports.ts'
import { updateItem } from './kit/writeItem.ts'

/** The digest keeps email and network addresses out of the key, and the key short. */
function budgetKey({ kind, subject }: MailSubject) {
  const digest = createHash('sha256').update(subject).digest('base64url')
  return { pk: `MAILS#${kind}#${digest}`, sk: 'MAILS' }
}

const budgetItem = z.object({ fullAt: z._default(z.int(), 0) })

/** When requests compete, the first finds the budget full and the others find it in use; each tries this often. */
const TRIES = 5

/** Budgets of mails in the table `accounts`, an item per subject. DynamoDB deletes it some time after the budget is full again. */
export function createMailBudgets(client: DynamoDBDocumentClient, TableName: string): MailBudgets {
  /** Writes, or returns when the budget is full, as stored. */
  async function write(
    subject: MailSubject,
    update: Pick<UpdateCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>,
  ): Promise<'spent' | { fullAt: number }> {
    const condition = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
    const result = await updateItem(client, { TableName, Key: budgetKey(subject), ...condition, ...update })
    return result.kind === 'written' ? 'spent' : budgetItem.parse(result.stored ?? {})
  }

  return {
    async spend(subject, { everyMs, latestFull, now }) {
      const expiresAt = Math.ceil((latestFull + everyMs) / 1000)
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        const full = await write(subject, {
          UpdateExpression: 'SET fullAt = :next, expiresAt = :expiresAt',
          ConditionExpression: 'attribute_not_exists(fullAt) OR fullAt <= :now',
          ExpressionAttributeValues: { ':next': now + everyMs, ':now': now, ':expiresAt': expiresAt },
        })
        if (full === 'spent' || full.fullAt > latestFull) return full
        const used = await write(subject, {
          UpdateExpression: 'SET fullAt = fullAt + :every, expiresAt = :expiresAt',
          ConditionExpression: 'fullAt > :now AND fullAt <= :latest',
          ExpressionAttributeValues: { ':every': everyMs, ':now': now, ':latest': latestFull, ':expiresAt': expiresAt },
        })
        if (used === 'spent' || used.fullAt > latestFull) return used
      }
      throw new CommonError('service_unavailable', { message: 'too many requests for one budget of mails at once' })
    },
  }
}
