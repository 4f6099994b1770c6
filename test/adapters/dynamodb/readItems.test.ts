import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { readItems, readTables, type TableRead } from '../../../lib/adapters/dynamodb/kit/readItems.ts'

const key = { pk: 'ORG#1', sk: 'ACCOUNT' }
const wireKey = { pk: { S: key.pk }, sk: { S: key.sk } }
const unprocessed = { Responses: {}, UnprocessedKeys: { billing: { Keys: [wireKey] } } }
const found = { Responses: { billing: [{ ...wireKey, n: { N: '7' } }] }, UnprocessedKeys: {} }

/** DynamoDB as it answers when it is short of capacity, which the emulator never is. */
describe('readItems', () => {
  let server: Awaited<ReturnType<typeof listenOnLoopback>>
  let answers: object[]
  let asked: number
  let requests: unknown[]

  beforeEach(async () => {
    asked = 0
    requests = []
    const short = createServer(async (request, response) => {
      requests.push(await json(request))
      const answer = answers[asked] ?? unprocessed
      asked += 1
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer))
    })
    server = await listenOnLoopback(short)
    process.env.AWS_ACCESS_KEY_ID = 'local'
    process.env.AWS_SECRET_ACCESS_KEY = 'local'
  })

  afterEach(() => server.close())

  async function withClient<Result>(use: (client: DynamoDBDocumentClient) => Promise<Result>): Promise<Result> {
    const client = createDocumentClient({ endpoint: server.url, region: 'us-east-1' })
    try {
      return await use(client)
    } finally {
      client.destroy()
    }
  }

  const read = () => withClient(async (client) => (await readItems(client, 'billing', [key]))(key))

  it('requests unprocessed keys again', async () => {
    answers = [unprocessed, unprocessed, found]
    expect(await read()).toEqual({ ...key, n: 7 })
    expect(asked).toBe(3)
  })

  // [catch readItems.readBatch]
  it('throws service_unavailable where keys stay unprocessed, and does not report their items as missing', async () => {
    answers = []
    await expect(read()).rejects.toMatchObject({ code: 'service_unavailable', message: 'DynamoDB: UnprocessedKeys' })
    expect(asked).toBe(3)
  })

  it('asks for 100 keys at a time, of each table for its attributes', async () => {
    answers = [found, found]
    const keys = (count: number) => Array.from({ length: count }, (_, at) => ({ pk: `${at}`, sk: 'x' }))
    const reads: TableRead[] = [
      { table: 'accounts', keys: keys(60), attributes: ['pk', 'sk'] },
      { table: 'none', keys: [] },
      { table: 'billing', keys: keys(90) },
    ]
    const item = await withClient((client) => readTables(client, reads))
    expect(item(key)).toEqual({ ...key, n: 7 })
    const wire = (from: number, to: number) =>
      keys(to)
        .slice(from)
        .map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }))
    const accounts = { Keys: wire(0, 60), ConsistentRead: true, ProjectionExpression: 'pk, sk' }
    const billing = (from: number, to: number) => ({ Keys: wire(from, to), ConsistentRead: true })
    expect(requests).toHaveLength(2)
    expect(requests).toContainEqual({ RequestItems: { accounts, billing: billing(0, 40) } })
    expect(requests).toContainEqual({ RequestItems: { billing: billing(40, 90) } })
  })

  it('asks for nothing where there are no keys', async () => {
    expect((await withClient((client) => readTables(client, [{ table: 'billing', keys: [] }])))(key)).toBeUndefined()
    expect(asked).toBe(0)
  })
})
