import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import pRetry, { AbortError } from 'p-retry'
import type { KeyAttribute, TableDescription } from '../../../lib/adapters/dynamodb/tables.ts'

interface Keys {
  readonly partitionKey: KeyAttribute
  readonly sortKey?: KeyAttribute
}

const attributesOf = ({ partitionKey, sortKey }: Keys): KeyAttribute[] =>
  sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]

const schemaOf = (keys: Keys): KeySchemaElement[] =>
  attributesOf(keys).map(({ name }, position) => ({ AttributeName: name, KeyType: position === 0 ? 'HASH' : 'RANGE' }))

/** The command that creates a table from its description. */
export function createCommand(TableName: string, table: TableDescription): CreateTableCommand {
  const indexes = table.indexes ?? []
  const types = new Map([table, ...indexes].flatMap(attributesOf).map(({ name, type }) => [name, type]))
  return new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    KeySchema: schemaOf(table),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: schemaOf(index),
        Projection: {
          ProjectionType: index.projection,
          ...(index.include && { NonKeyAttributes: [...index.include] }),
        },
      })),
    }),
    ...(table.hasStream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }),
  })
}

/** DynamoDB refuses to enable a time to live that is enabled already. */
async function enableTimeToLive(client: DynamoDBClient, TableName: string, AttributeName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
  if (TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL')) return
  const TimeToLiveSpecification = { Enabled: true, AttributeName }
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
}

/** DynamoDB's emulators make a table at once; AWS takes seconds. The SDK's own waiter would leave a timer behind, which keeps a process from its end. */
async function requireActive(client: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName })).catch((error) => {
    throw new AbortError(error)
  })
  if (Table?.TableStatus !== 'ACTIVE') throw new Error(`The table ${TableName} is ${Table?.TableStatus}`)
}

async function createTable(client: DynamoDBClient, TableName: string, table: TableDescription): Promise<void> {
  try {
    await client.send(createCommand(TableName, table))
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error
  }
  await pRetry(() => requireActive(client, TableName), { retries: 120, factor: 1, minTimeout: 500 })
  if (table.timeToLiveAttribute !== undefined) await enableTimeToLive(client, TableName, table.timeToLiveAttribute)
}

/**
 * Creates the tables that do not exist, waits until all are active and enables their time to live. Changes nothing else of an existing
 * table. You may repeat it, even at the same time. `nameOf` defaults to the local name.
 */
export async function createTables(
  client: DynamoDBClient,
  tables: Readonly<Record<string, TableDescription>>,
  nameOf: (table: TableDescription) => string = (table) => table.localName,
): Promise<void> {
  await Promise.all(Object.values(tables).map((table) => createTable(client, nameOf(table), table)))
}
