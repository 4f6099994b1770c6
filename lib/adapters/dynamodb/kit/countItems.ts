import type { Key } from './readItems.ts'
import type { TransactItem } from './transactWrite.ts'

/** A count of items, kept beside them: a transaction cannot count. */
export interface Count {
  readonly TableName: string
  readonly Key: Key
  readonly attribute: string
}

/** The write that takes one more item into account. Its condition fails if there are `most` already. */
export function countIn({ TableName, Key, attribute }: Count, most: number): TransactItem {
  return {
    Update: {
      TableName,
      Key,
      UpdateExpression: 'ADD #count :one',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
      ExpressionAttributeNames: { '#count': attribute },
      ExpressionAttributeValues: { ':one': 1, ':most': most },
    },
  }
}

/** The write that takes one item less into account. */
export function countOut({ TableName, Key, attribute }: Count): TransactItem {
  return {
    Update: {
      TableName,
      Key,
      UpdateExpression: 'ADD #count :less',
      ExpressionAttributeNames: { '#count': attribute },
      ExpressionAttributeValues: { ':less': -1 },
    },
  }
}
