import type { _Record } from '@aws-sdk/client-dynamodb-streams'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams'
import type { Closable } from '../resourceScope.ts'

/** A record with its place in the stream. */
export type StreamRecord = _Record & { readonly dynamodb: NonNullable<_Record['dynamodb']> }

export interface StreamReader extends Closable {
  readonly arn: string
  /** The next records of every shard, in order within a shard; none if there are none yet. After an error, read again. */
  read(): Promise<StreamRecord[]>
}

interface Shard {
  /** Of the last record that was read; undefined if none was. */
  last: string | undefined
  /** Undefined before the first call, and after an error. */
  iterator: string | undefined
  hasEnded: boolean
}

/**
 * Opens the stream of a table, from now on. What was written before is left to the functions' runs of every minute.
 * @throws Error if the table has no stream
 */
export async function openStream(where: { endpoint: string; region: string }, table: string): Promise<StreamReader> {
  const client = new DynamoDBStreamsClient(where)
  const shards = new Map<string, Shard>()
  const { Streams } = await client.send(new ListStreamsCommand({ TableName: table }))
  const arn = Streams?.at(-1)?.StreamArn
  if (arn === undefined) throw new Error(`The table ${table} at ${where.endpoint} has no stream`)

  async function findShards(): Promise<void> {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: arn }))
    for (const { ShardId = '' } of StreamDescription?.Shards ?? [])
      if (!shards.has(ShardId)) shards.set(ShardId, { last: undefined, iterator: undefined, hasEnded: false })
  }

  async function place(ShardId: string, shard: Shard, otherwise: 'LATEST' | 'TRIM_HORIZON'): Promise<void> {
    const at =
      shard.last === undefined
        ? { ShardIteratorType: otherwise }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: shard.last }
    const { ShardIterator } = await client.send(new GetShardIteratorCommand({ StreamArn: arn, ShardId, ...at }))
    shard.iterator = ShardIterator
  }

  async function readShard(id: string, shard: Shard): Promise<StreamRecord[]> {
    if (shard.iterator === undefined) await place(id, shard, 'TRIM_HORIZON')
    const { iterator } = shard
    shard.iterator = undefined
    const { Records = [], NextShardIterator } = await client.send(new GetRecordsCommand({ ShardIterator: iterator }))
    shard.iterator = NextShardIterator
    shard.hasEnded = NextShardIterator === undefined
    const records = Records.flatMap((record) => (record.dynamodb ? [{ ...record, dynamodb: record.dynamodb }] : []))
    shard.last = records.at(-1)?.dynamodb.SequenceNumber ?? shard.last
    return records
  }

  await findShards()
  for (const [id, shard] of shards) await place(id, shard, 'LATEST')
  return {
    arn,
    async read() {
      const open = [...shards].filter(([, { hasEnded }]) => !hasEnded)
      // A shard ends when another follows it.
      if (open.length === 0) await findShards()
      const read = await Promise.allSettled(open.map(([id, shard]) => readShard(id, shard)))
      const records = read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      const failed = read.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected' && records.length === 0) throw failed.reason
      return records
    },
    async close() {
      client.destroy()
    },
  }
}
