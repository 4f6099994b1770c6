import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { interceptAwsCalls } from '../../support/aws/interceptAwsCalls.ts'
import { timeBetweenAttempts } from '../../support/timeBetweenAttempts.ts'
import { useDynamoDb } from './dynamoDbTestBed.ts'

const dynamoDb = useDynamoDb()
const Key = { pk: 'a', sk: 'b' }

describe('createDocumentClient', () => {
  it('omits attributes that are undefined', async () => {
    const client = createDocumentClient({ endpoint: dynamoDb().endpoint, region: 'us-east-1' })
    await client.send(new PutCommand({ TableName: 'accounts', Item: { ...Key, gone: undefined, kept: null } }))
    const { Item } = await client.send(new GetCommand({ TableName: 'accounts', Key }))
    client.destroy()
    expect(Item).toEqual({ ...Key, kept: null })
  })

  it('makes three attempts in all', async () => {
    const calls = interceptAwsCalls(dynamoDb().endpoint)
    const client = createDocumentClient({ endpoint: calls.endpoint, region: 'us-east-1' })
    calls.fail({ times: 4, kind: 'drop_before' })
    const outcome = await client.send(new GetCommand({ TableName: 'accounts', Key })).catch(() => 'failed')
    client.destroy()
    await calls.close()
    expect(outcome).toBe('failed')
    expect(calls.calls()).toHaveLength(3)
  })

  it('ends an attempt after three seconds and makes the next', async () => {
    const took = await timeBetweenAttempts(async (endpoint, abortSignal) => {
      const client = createDocumentClient({ endpoint, region: 'us-east-1' })
      const get = client.send(new GetCommand({ TableName: 'accounts', Key }), { abortSignal })
      return get.finally(() => client.destroy())
    })
    expect(took).toBeGreaterThan(2900)
    expect(took).toBeLessThan(4500)
  })
})
