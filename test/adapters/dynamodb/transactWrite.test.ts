import { beforeEach, describe, expect, it } from '@jest/globals'
import { readItem } from '../../../lib/adapters/dynamodb/kit/readItems.ts'
import {
  hasOnlyFailed,
  type TransactItem,
  transactWrite,
  transactWriteOrConflict,
  writeAll,
} from '../../../lib/adapters/dynamodb/kit/transactWrite.ts'
import { openDocuments } from './dynamoDbTestBed.ts'

const { calls, client } = await openDocuments()
beforeEach(() => calls.reset())

const TableName = 'billing'
let last = 0
const newKey = () => {
  last += 1
  return { pk: `K#${last}`, sk: 'K' }
}
type Key = ReturnType<typeof newKey>
const putNew = (key: Key, value = 'new'): TransactItem => ({
  Put: {
    TableName,
    Item: { ...key, value },
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
})
const storedValue = async (key: Key) => (await readItem(client, TableName, key))?.value
async function stored(value = 'old'): Promise<Key> {
  const key = newKey()
  await transactWrite(client, { put: putNew(key, value) })
  calls.reset()
  return key
}
const operations = () => calls.calls().map(({ operation }) => operation)
function conflict(): void {
  const CancellationReasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }]
  const error = { type: 'TransactionCanceledException', message: 'Transaction cancelled', CancellationReasons }
  calls.fail({ operation: 'TransactWriteItems', times: 3, kind: 'error', error })
}

describe('transactWrite', () => {
  it('writes single items and lists, and skips names without an item', async () => {
    const [a, b, c] = [newKey(), newKey(), newKey()]
    const items = { first: putNew(a), none: undefined, list: [putNew(b), putNew(c)], empty: [] }
    expect(await transactWrite(client, items)).toEqual({ kind: 'written' })
    expect([await storedValue(a), await storedValue(b), await storedValue(c)]).toEqual(['new', 'new', 'new'])
  })

  it('names the items that failed with what is stored, behind names without an item as well', async () => {
    const [fresh, taken, alsoTaken] = [newKey(), await stored('one'), await stored('two')]
    const result = await transactWrite(client, {
      none: undefined,
      fresh: putNew(fresh),
      taken: putNew(taken),
      list: [putNew(newKey()), putNew(alsoTaken)],
    })
    expect(result).toEqual({
      kind: 'refused',
      failed: new Set(['taken', 'list']),
      stored: { taken: { ...taken, value: 'one' }, list: { ...alsoTaken, value: 'two' } },
    })
    expect(await storedValue(fresh)).toBeUndefined()
  })

  it('throws service_unavailable when transactions conflict longer than it tries', async () => {
    conflict()
    const write = transactWrite(client, { a: putNew(newKey()), b: putNew(newKey()) })
    await expect(write).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(operations()).toHaveLength(3)
  })
})

describe('transactWriteOrConflict', () => {
  it('refuses without a failed name when transactions conflict longer than it tries', async () => {
    conflict()
    const result = await transactWriteOrConflict(client, { a: putNew(newKey()), b: putNew(newKey()) })
    expect(result).toEqual({ kind: 'refused', failed: new Set(), stored: {} })
  })

  it('names a failed condition as transactWrite does', async () => {
    const result = await transactWriteOrConflict(client, { a: putNew(newKey()), b: putNew(await stored()) })
    expect(result).toMatchObject({ kind: 'refused', failed: new Set(['b']) })
  })
})

describe('writeAll', () => {
  it('sends one put as a plain put, and names it if it fails', async () => {
    const key = newKey()
    expect(await writeAll(client, { slot: putNew(key, 'first'), none: undefined, empty: [] })).toEqual({
      kind: 'written',
    })
    expect(await writeAll(client, { slot: putNew(key) })).toEqual({
      kind: 'refused',
      failed: new Set(['slot']),
      stored: { slot: { ...key, value: 'first' } },
    })
    expect(operations()).toEqual(['PutItem', 'PutItem'])
  })

  it('sends several items as a transaction', async () => {
    await writeAll(client, { slot: putNew(newKey()), coupon: putNew(newKey()) })
    expect(operations()).toEqual(['TransactWriteItems'])
  })
})

describe('hasOnlyFailed', () => {
  it('is true for the only name that failed, not for one of several or for a conflict', () => {
    const refused = (...failed: ('a' | 'b')[]) => ({ kind: 'refused', failed: new Set(failed), stored: {} }) as const
    expect(hasOnlyFailed(refused('a'), 'a')).toBe(true)
    expect([
      hasOnlyFailed(refused('a', 'b'), 'a'),
      hasOnlyFailed(refused('b'), 'a'),
      hasOnlyFailed(refused(), 'a'),
    ]).toEqual([false, false, false])
  })
})
