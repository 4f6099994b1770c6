import { createHash } from 'node:crypto'
import { GetItemCommand, PutItemCommand, ScanCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { AwsCalls } from '../../support/aws/awsCalls.ts'
import { startDynamoDbProxy } from '../../support/aws/dynamodbProxy.ts'
import { interceptAwsCalls } from '../../support/aws/interceptAwsCalls.ts'
import { createClient, useDynamoDb } from './dynamoDbTestBed.ts'

let between: AwsCalls
let client: ReturnType<typeof createClient>

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 's' } })
const put = (pk: string, text = 'x') =>
  client.send(new PutItemCommand({ TableName: 'accounts', Item: { ...key(pk), text: { S: text } } }))
const get = async (pk: string) => (await client.send(new GetItemCommand({ TableName: 'accounts', Key: key(pk) }))).Item
const operations = () => between.calls().map(({ operation }) => operation)

describe.each([
  ['The DynamoDB proxy', startDynamoDbProxy],
  ['The interception of the SDK’s calls', async (target: string) => interceptAwsCalls(target)],
])('%s', (_, putBetween) => {
  const dynamoDb = useDynamoDb()
  beforeAll(async () => {
    between = await putBetween(dynamoDb().endpoint)
    client = createClient(between.endpoint)
  })
  afterAll(async () => {
    client?.destroy()
    await between?.close()
  })
  beforeEach(() => between.reset())

  describe('Given no fault', () => {
    it('forwards requests and answers and counts each call once, with its operation and time', async () => {
      const before = Date.now()
      await put('plain', 'grüße')
      expect((await get('plain'))?.text).toEqual({ S: 'grüße' })
      expect(operations()).toEqual(['PutItem', 'GetItem'])
      for (const { at } of between.calls()) expect(at >= before && at <= Date.now()).toBe(true)
    })

    it('forwards an answer of 800 kB whole', async () => {
      const text = createHash('sha256').update('a').digest('hex').repeat(6000)
      await Promise.all([put('large-1', text), put('large-2', text)])
      const scan = new ScanCommand({
        TableName: 'accounts',
        FilterExpression: 'begins_with(pk, :l)',
        ExpressionAttributeValues: { ':l': { S: 'large' } },
      })
      expect((await client.send(scan)).Items?.map((item) => item.text)).toEqual([{ S: text }, { S: text }])
    })

    it('serves 200 calls at once', async () => {
      await Promise.all(Array.from({ length: 200 }, (_, n) => put(`many-${n}`)))
      expect(between.calls()).toHaveLength(200)
      expect(await get('many-199')).toBeDefined()
    })
  })

  describe('Given an error', () => {
    it('answers it to the given operation the given number of times, and writes nothing', async () => {
      const error = { type: 'ResourceNotFoundException', message: 'no table' }
      between.fail({ operation: 'PutItem', times: 1, kind: 'error', error })
      expect(await get('refused')).toBeUndefined()
      await expect(put('refused')).rejects.toMatchObject({ name: 'ResourceNotFoundException', message: 'no table' })
      expect(await get('refused')).toBeUndefined()
      await put('refused')
      expect(await get('refused')).toBeDefined()
    })

    it('carries cancellation reasons so that the SDK reads them, items included', async () => {
      const CancellationReasons = [
        { Code: 'None' },
        { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', Item: { pk: { S: 'there' } } },
      ]
      between.fail({
        operation: 'TransactWriteItems',
        times: 1,
        kind: 'error',
        error: { type: 'TransactionCanceledException', message: 'cancelled', CancellationReasons },
      })
      const Item = { ...key('tx') }
      const write = new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName: 'accounts', Item } }] })
      await expect(client.send(write)).rejects.toMatchObject({
        name: 'TransactionCanceledException',
        CancellationReasons,
      })
      expect(await get('tx')).toBeUndefined()
    })

    it('answers the given status, and by default a 500 that the SDK repeats', async () => {
      between.fail({ times: 2, kind: 'error' })
      await expect(put('repeated')).resolves.toMatchObject({ $metadata: { attempts: 3 } })
      between.fail({ times: 1, kind: 'error', status: 403, error: { type: 'AccessDeniedException' } })
      await expect(put('denied')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403, attempts: 1 } })
      expect(operations()).toEqual(Array(4).fill('PutItem'))
    })
  })

  describe('Given a cut connection', () => {
    it('writes nothing where the connection is cut before the call', async () => {
      between.fail({ operation: 'PutItem', times: 3, kind: 'drop_before' })
      await expect(put('lost')).rejects.toMatchObject({ $metadata: { attempts: 3 } })
      expect(await get('lost')).toBeUndefined()
      expect(operations()).toEqual(['PutItem', 'PutItem', 'PutItem', 'GetItem'])
    })

    it('writes everything where only the answer is lost', async () => {
      between.fail({ operation: 'PutItem', times: 3, kind: 'drop_after' })
      await expect(put('kept')).rejects.toMatchObject({ $metadata: { attempts: 3 } })
      expect(await get('kept')).toBeDefined()
    })

    it('makes the SDK repeat the call, which then succeeds', async () => {
      between.fail({ times: 1, kind: 'drop_after' })
      await expect(put('again')).resolves.toMatchObject({ $metadata: { attempts: 2 } })
    })
  })

  describe('Given several faults', () => {
    it('injects them in their order, each after the calls that it lets pass', async () => {
      const error = (type: string) => ({ kind: 'error', times: 1, error: { type } }) as const
      between.fail({ ...error('FirstException'), operation: 'PutItem', after: 1 })
      between.fail({ ...error('SecondException'), operation: 'PutItem', after: 1 })
      await put('1')
      await expect(put('2')).rejects.toMatchObject({ name: 'FirstException' })
      await expect(put('3')).rejects.toMatchObject({ name: 'SecondException' })
      await put('4')
    })

    it('forgets them at a reset', async () => {
      between.fail({ times: 5, kind: 'drop_before' })
      between.reset()
      await put('after-reset')
      expect(between.calls()).toHaveLength(1)
    })
  })
})

describe('The DynamoDB proxy, for any client', () => {
  const dynamoDb = useDynamoDb()

  it('forwards status and headers as the target sent them', async () => {
    const proxy = await startDynamoDbProxy(dynamoDb().endpoint)
    const request = { method: 'POST', headers: { 'x-amz-target': 'DynamoDB_20120810.Nope' }, body: '{}' }
    const [direct, proxied] = [await fetch(dynamoDb().endpoint, request), await fetch(proxy.endpoint, request)]
    const names = (response: Response) =>
      [...response.headers.keys()].filter((name) => name !== 'keep-alive' && name !== 'connection' && name !== 'date')
    expect(proxied.status).toBe(direct.status)
    expect(names(proxied)).toEqual(names(direct))
    expect(await proxied.text()).toBe(await direct.text())
    expect(proxy.calls().map(({ operation }) => operation)).toEqual(['Nope'])
    await proxy.close()
  })

  describe('Given a target that does not answer', () => {
    it('cuts the connection as the target would, and can be closed', async () => {
      const orphan = await startDynamoDbProxy('http://127.0.0.1:1')
      await expect(fetch(orphan.endpoint, { method: 'POST' })).rejects.toThrow('fetch failed')
      await orphan.close()
      await orphan.close()
    })
  })
})
