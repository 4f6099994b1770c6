import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
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
  })
}

/** DynamoDB refuses to enable a time to live that is enabled already. */
async function enableTimeToLive(client: DynamoDBClient, TableName: string, AttributeName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }))
  if (TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL')) return
  const TimeToLiveSpecification = { Enabled: true, AttributeName }
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
}

async function isActiveAtOnce(client: DynamoDBClient, TableName: string, table: TableDescription): Promise<boolean> {
  try {
    const { TableDescription: created } = await client.send(createCommand(TableName, table))
    return created?.TableStatus === 'ACTIVE'
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error
    return false
  }
}

async function createTable(client: DynamoDBClient, TableName: string, table: TableDescription): Promise<void> {
  // The SDK's waiter leaves a timer behind, which would keep a process from its end: asked only if there is something to wait for.
  if (!(await isActiveAtOnce(client, TableName, table)))
    await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName })
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
