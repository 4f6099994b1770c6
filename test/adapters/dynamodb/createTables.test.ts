import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import type { AwsCalls } from '../../support/aws/awsCalls.ts'
import { interceptAwsCalls } from '../../support/aws/interceptAwsCalls.ts'
import { createClient, useDynamoDb } from './dynamoDbTestBed.ts'

const dynamoDb = useDynamoDb({ expires: true })
let calls: AwsCalls
let client: DynamoDBClient
beforeAll(async () => {
  calls = interceptAwsCalls(dynamoDb().endpoint)
  client = createClient(calls.endpoint)
})
afterAll(async () => {
  client?.destroy()
  await calls?.close()
})

const describeTable = async (TableName: string) => (await client.send(new DescribeTableCommand({ TableName }))).Table

describe('createTables', () => {
  it('creates accounts with its keys and its time to live', async () => {
    expect(await describeTable('accounts')).toMatchObject({
      TableStatus: 'ACTIVE',
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    })
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: 'accounts' }))
    expect(TimeToLiveDescription).toEqual({ AttributeName: 'expiresAt', TimeToLiveStatus: 'ENABLED' })
  })

  it('creates billing with an index that holds the keys and the age of pending items only, in the order of nextSweepAt', async () => {
    const put = (pk: string, pending: Record<string, { S: string } | { N: string }>) =>
      client.send(
        new PutItemCommand({
          TableName: 'billing',
          Item: { pk: { S: pk }, sk: { S: 's' }, x: { S: 'x' }, ...pending },
        }),
      )
    await put('late', { pendingKey: { S: 'P' }, nextSweepAt: { N: '10' }, firstSent: { N: '1' } })
    await put('early', { pendingKey: { S: 'P' }, nextSweepAt: { N: '9' }, firstSent: { N: '2' } })
    await put('settled', {})
    const query = new QueryCommand({
      TableName: 'billing',
      IndexName: 'pending',
      KeyConditionExpression: 'pendingKey = :p',
      ExpressionAttributeValues: { ':p': { S: 'P' } },
    })
    const items = (await client.send(query)).Items ?? []
    expect(items.map((item) => item.pk)).toEqual([{ S: 'early' }, { S: 'late' }])
    expect(Object.keys(items[0] ?? {}).sort()).toEqual(['firstSent', 'nextSweepAt', 'pendingKey', 'pk', 'sk'])
  })

  it('may be repeated, also at the same time, and does not enable time to live twice', async () => {
    calls.reset()
    await Promise.all([createTables(client, tables), createTables(client, tables)])
    const operations = calls.calls().map(({ operation }) => operation)
    expect(operations).toContain('DescribeTimeToLive')
    expect(operations).not.toContain('UpdateTimeToLive')
  })

  it('gives tables the names of the given descriptions', async () => {
    await createTables(client, tables, (table) => `test-${table.environmentVariable}`)
    const indexes = (await describeTable('test-BILLING_TABLE'))?.GlobalSecondaryIndexes ?? []
    expect(indexes.map(({ IndexName }) => IndexName).sort()).toEqual(['customers', 'pending'])
  })

  it('throws the errors of DynamoDB', async () => {
    const error = { type: 'AccessDeniedException', message: 'no' }
    calls.fail({ operation: 'CreateTable', times: 2, kind: 'error', error })
    await expect(createTables(client, tables)).rejects.toMatchObject({ name: 'AccessDeniedException' })
  })
})
