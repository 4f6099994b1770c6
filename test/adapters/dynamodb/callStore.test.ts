import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { callStore, retryConflicts } from '../../../lib/adapters/dynamodb/kit/callStore.ts'
import { openDocuments } from './dynamoDbTestBed.ts'

const { calls, client } = await openDocuments()
beforeEach(() => calls.reset())

const Item = { pk: 'a', sk: 'b' }
const write = (signal?: AbortSignal) =>
  retryConflicts(
    () => client.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: 'billing', Item } }] })),
    { signal },
  )
function cancelNext(times: number, ...codes: string[]): void {
  const CancellationReasons = codes.map((Code) => ({ Code }))
  const error = { type: 'TransactionCanceledException', message: 'Transaction cancelled', CancellationReasons }
  calls.fail({ operation: 'TransactWriteItems', times, kind: 'error', error })
}

describe('retryConflicts', () => {
  describe('Given a transient reason', () => {
    it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
      'tries again after %s, up to three times in all, after a pause',
      async (code) => {
        cancelNext(2, 'None', code)
        await write()
        const at = calls.calls().map((call) => call.at)
        expect(at).toHaveLength(3)
        expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(24)
        expect((at[2] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(74)
      },
    )

    it('tries again after a TransactionConflictException', async () => {
      calls.fail({ times: 1, kind: 'error', error: { type: 'TransactionConflictException', message: 'conflict' } })
      await write()
      expect(calls.calls()).toHaveLength(2)
    })

    it('throws the third error as it is', async () => {
      cancelNext(3, 'TransactionConflict')
      await expect(write()).rejects.toMatchObject({
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'TransactionConflict' }],
      })
      expect(calls.calls()).toHaveLength(3)
    })
  })

  describe('Given an error that is final', () => {
    it.each([
      ['a failed condition', ['ConditionalCheckFailed']],
      ['a failed condition beside a conflict', ['TransactionConflict', 'ConditionalCheckFailed']],
      ['an invalid item', ['ValidationError']],
      ['no reason', []],
    ])('throws %s at once', async (_, codes) => {
      cancelNext(1, ...codes)
      await expect(write()).rejects.toMatchObject({ name: 'TransactionCanceledException' })
      expect(calls.calls()).toHaveLength(1)
    })

    it('throws any other error at once', async () => {
      calls.fail({ times: 1, kind: 'error', error: { type: 'ResourceNotFoundException', message: 'no table' } })
      await expect(write()).rejects.toMatchObject({ name: 'ResourceNotFoundException', message: 'no table' })
      expect(calls.calls()).toHaveLength(1)
    })
  })

  it('ends with the reason of an aborted signal', async () => {
    cancelNext(3, 'TransactionConflict')
    const controller = new AbortController()
    const ended = write(controller.signal)
    controller.abort(new Error('deadline'))
    await expect(ended).rejects.toThrow('deadline')
    expect(calls.calls().length).toBeLessThan(2)
  })
})

describe('callStore', () => {
  it('names the code of a failed connection in the message that is logged', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
    const error = await callStore(() => Promise.reject(refused)).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'service_unavailable', cause: refused })
    expect(String(error)).toBe('CommonError: DynamoDB: Error ECONNREFUSED')
  })

  it('leaves out the code of an error whose code is not Node’s', async () => {
    const other = Object.assign(new Error('x'), { code: 'ada@example.com' })
    await expect(callStore(() => Promise.reject(other))).rejects.toThrow(/^DynamoDB: Error$/)
  })
})
