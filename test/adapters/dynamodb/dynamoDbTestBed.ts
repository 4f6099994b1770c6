import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll } from '@jest/globals'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { type DynamoDbServer, startDynamoDb } from '../../../infra/local/dynamodb/startDynamoDb.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'

/** A bare client, three attempts a call. */
export function createClient(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  return new DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 3 })
}

/** An in-memory DynamoDB with every table, from before the first test of a file until after its last. */
export function useDynamoDb(): () => DynamoDbServer {
  let server: DynamoDbServer | undefined
  beforeAll(async () => {
    process.env.AWS_ACCESS_KEY_ID = 'local'
    process.env.AWS_SECRET_ACCESS_KEY = 'local'
    server = await startDynamoDb()
    const client = createClient(server.endpoint)
    await createTables(client, tables)
    client.destroy()
  })
  afterAll(() => server?.close())
  return () => {
    if (server === undefined) throw new Error('DynamoDB is not started yet')
    return server
  }
}
