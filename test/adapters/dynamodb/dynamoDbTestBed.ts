import { DeleteTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll } from '@jest/globals'
import { createTables } from '../../../infra/local/dynamodb/createTables.ts'
import { type DynamoDbServer, startDynamoDb } from '../../../infra/local/dynamodb/startDynamoDb.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { type TableDescription, tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { interceptAwsCalls } from '../../support/aws/interceptAwsCalls.ts'

/** A bare client, three attempts a call. */
export function createClient(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  return new DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 3 })
}

/** A DynamoDB that runs already, emptied for a test file: `runOnDynamoDbLocal.ts` names it. */
async function emptied(endpoint: string): Promise<DynamoDbServer> {
  const client = createClient(endpoint)
  const { TableNames = [] } = await client.send(new ListTablesCommand())
  for (const TableName of TableNames) await client.send(new DeleteTableCommand({ TableName }))
  client.destroy()
  return { endpoint, died: new Promise(() => {}), close: async () => {} }
}

/** Tables in which nothing expires. For tests the time is of the past, and DynamoDB Local goes by the machine's clock. */
function withoutExpiry(given: Readonly<Record<string, TableDescription>>): Record<string, TableDescription> {
  const lasting = ({ timeToLiveAttribute: _, ...table }: TableDescription) => table
  return Object.fromEntries(Object.entries(given).map(([name, table]) => [name, lasting(table)]))
}

interface BedOptions {
  /** Whether items expire on a given DynamoDB Local, too. */
  readonly expires?: boolean
}

/** An in-memory DynamoDB with every table. */
async function openDynamoDb({ expires = false }: BedOptions = {}): Promise<DynamoDbServer> {
  process.env.AWS_ACCESS_KEY_ID = 'local'
  process.env.AWS_SECRET_ACCESS_KEY = 'local'
  const { TEST_DYNAMODB_ENDPOINT: given } = process.env
  const server = await (given === undefined ? startDynamoDb() : emptied(given))
  const client = createClient(server.endpoint)
  await createTables(client, given === undefined || expires ? tables : withoutExpiry(tables))
  client.destroy()
  return server
}

/** An in-memory DynamoDB with every table, from before the first test of a file until after its last. */
export function useDynamoDb(options?: BedOptions): () => DynamoDbServer {
  let server: DynamoDbServer | undefined
  beforeAll(async () => {
    server = await openDynamoDb(options)
  })
  afterAll(() => server?.close())
  return () => {
    if (server === undefined) throw new Error('DynamoDB is not started yet')
    return server
  }
}

/** The same, with a client of documents whose calls a test may count and fail, and the names of its tables. Closes them after the last test of the file. */
export async function openDocuments() {
  const server = await openDynamoDb()
  const calls = interceptAwsCalls(server.endpoint)
  const client = createDocumentClient({ endpoint: calls.endpoint, region: 'us-east-1' })
  afterAll(async () => {
    client.destroy()
    await calls.close()
    await server.close()
  })
  const names = { accounts: 'accounts', billing: 'billing', auditLog: 'audit-log', events: 'events' } as const
  return { client, calls, names }
}
