import { createHash } from 'node:crypto'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { greatestSum, levelAt, type Sums, weightsAt } from '../../users/decayingCount.ts'
import type { GuessCounts, GuessSubject, SucceededTries } from '../../users/ports.ts'
import { readParsed } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'

/** After 8 days 0.03 % of a try is left. */
const FADED_AFTER_SECONDS = 8 * 24 * 60 * 60

/** The digest keeps email and network addresses out of the key, and the key short. */
function guessKey({ kind, subject }: GuessSubject) {
  const digest = createHash('sha256').update(subject).digest('base64url')
  return { pk: `GUESSES#${kind}#${digest}`, sk: 'GUESSES' }
}

/** The sum for each landmark is an attribute, which the next try adds to. */
const attributeOf = (landmark: number) => `w${landmark}`

const guessItem = z.pipe(
  z.record(z.string(), z.unknown()),
  z.transform(
    (item): Sums =>
      Object.fromEntries(
        Object.entries(item).flatMap(([name, value]) => {
          const landmark = /^w(\d+)$/.exec(name)?.[1]
          return landmark === undefined ? [] : [[Number(landmark), z.number().parse(value)]]
        }),
      ),
  ),
)

/** Counts of tried passwords in the table `accounts`, an item per subject. DynamoDB deletes it some time after the counts have faded. */
export function createGuessCounts(client: DynamoDBDocumentClient, TableName: string): GuessCounts {
  const sumsOf = async (subject: GuessSubject): Promise<Sums> =>
    (await readParsed(client, TableName, guessKey(subject), guessItem)) ?? {}

  /** Subtracts a try at `at`, and what else is given; of an item that is there, or it would come to less than nothing. */
  function subtraction(subject: GuessSubject, at: number, more: Sums = {}): TransactItem {
    const { older, newer } = weightsAt(at)
    const less = ({ landmark, weight }: typeof older) => -weight - (more[landmark] ?? 0)
    return {
      Update: {
        TableName,
        Key: guessKey(subject),
        UpdateExpression: 'ADD #older :older, #newer :newer',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#older': attributeOf(older.landmark), '#newer': attributeOf(newer.landmark) },
        ExpressionAttributeValues: { ':older': less(older), ':newer': less(newer) },
      },
    }
  }

  /** Deletes the item only if it has these sums: when two sign-ins succeed at once, the failures are taken back once. */
  function removal(subject: GuessSubject, sums: Sums): TransactItem {
    const stored = Object.entries(sums)
    return {
      Delete: {
        TableName,
        Key: guessKey(subject),
        ConditionExpression: stored.map((_, index) => `#w${index} = :w${index}`).join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(
          stored.map(([landmark], index) => [`#w${index}`, attributeOf(Number(landmark))]),
        ),
        ExpressionAttributeValues: Object.fromEntries(stored.map(([, sum], index) => [`:w${index}`, sum])),
      },
    }
  }

  /** A transaction, because it subtracts only once even if the SDK repeats it after a lost answer. */
  async function takeBackAlone({ tries, at }: SucceededTries): Promise<void> {
    await transactWrite(client, { tries: tries.map((subject) => subtraction(subject, at)) })
  }

  return {
    async count(subject, { limit, now }) {
      const { older, newer } = weightsAt(now)
      const result = await updateItem(client, {
        TableName,
        Key: guessKey(subject),
        UpdateExpression: 'ADD #older :older, #newer :newer SET expiresAt = :expiresAt REMOVE #oldest',
        ConditionExpression: 'attribute_not_exists(#older) OR #older <= :greatest',
        ExpressionAttributeNames: {
          '#oldest': attributeOf(older.landmark - 1),
          '#older': attributeOf(older.landmark),
          '#newer': attributeOf(newer.landmark),
        },
        ExpressionAttributeValues: {
          ':older': older.weight,
          ':newer': newer.weight,
          ':greatest': greatestSum(limit, now),
          ':expiresAt': Math.floor(now / 1000) + FADED_AFTER_SECONDS,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      })
      return result.kind === 'written' ? 'counted' : { level: levelAt(guessItem.parse(result.stored ?? {}), now) }
    },

    async takeBack(succeeded) {
      const { tries, at, failures } = succeeded
      const failed = failures && (await sumsOf(failures.of))
      if (failures === undefined || failed === undefined || Object.keys(failed).length === 0) {
        return takeBackAlone(succeeded)
      }
      const isTheirs = ({ kind, subject }: GuessSubject) =>
        kind === failures.from.kind && subject === failures.from.subject
      const result = await transactWrite(client, {
        tries: tries.map((subject) => subtraction(subject, at, isTheirs(subject) ? failed : {})),
        failures: removal(failures.of, failed),
      })
      // Another failure or success at this moment: what failed stays counted until the next success.
      if (result.kind === 'refused') await takeBackAlone(succeeded)
    },
  }
}
