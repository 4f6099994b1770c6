import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createDocumentClient } from '../../lib/adapters/dynamodb/documentClient.ts'
import { readItems } from '../../lib/adapters/dynamodb/readItems.ts'

const key = { pk: 'ORG#1', sk: 'ACCOUNT' }
const wireKey = { pk: { S: key.pk }, sk: { S: key.sk } }
const unprocessed = { Responses: {}, UnprocessedKeys: { billing: { Keys: [wireKey] } } }
const found = { Responses: { billing: [{ ...wireKey, n: { N: '7' } }] }, UnprocessedKeys: {} }

/** DynamoDB as it answers when it is short of capacity, which the emulator never is. */
describe('readItems', () => {
  let server: Server
  let answers: object[]
  let asked: number

  beforeEach(async () => {
    asked = 0
    server = createServer((request, response) => {
      request.resume()
      const answer = answers[asked] ?? unprocessed
      asked += 1
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    process.env.AWS_ACCESS_KEY_ID = 'local'
    process.env.AWS_SECRET_ACCESS_KEY = 'local'
  })

  afterEach(() => {
    server.close()
    server.closeAllConnections()
  })

  async function read() {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const client = createDocumentClient({ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1' })
    try {
      return (await readItems(client, 'billing', [key]))(key)
    } finally {
      client.destroy()
    }
  }

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
})
