import { marshall } from '@aws-sdk/util-dynamodb'
import { jest } from '@jest/globals'
import * as z from 'zod'
import type { DynamoDbRequest, Operation } from '../../../infra/cost/operation.ts'
import type { AwsCall } from '../../support/aws/awsCalls.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import { itemSize } from './itemSize.ts'

/** What one run of an operation called. */
export interface Measured extends Pick<Operation, 'dynamoDb' | 'indexWrites' | 'kms' | 'stripe'> {
  /** Bytes of the function's own log, metrics included. */
  readonly logBytes: number
  /** Eventually consistent reads, which cost half. */
  readonly inconsistentReads: readonly string[]
}

/** Runs a function once, with webhooks held, and returns what it called. */
export async function measure(
  stack: BillingStack,
  { functionName, run }: { functionName: string; run: () => Promise<unknown> },
): Promise<Measured> {
  await stack.emulator.webhooks('hold')
  await stack.emulator.clearRequests()
  const table = new Map((await stack.items()).map((item) => marshall(item)).map((item) => [keyOf(item), item]))
  const logged = await logOf(stack, run)
  const calls = stack.iam.calls().filter((call) => call.functionName === functionName)
  const onTables = calls.filter(({ service }) => service.startsWith('DynamoDB_'))
  const kms = calls.flatMap(({ service, operation }) => (service === 'TrentService' ? [operation] : []))
  const reads = onTables.filter(({ operation }) => /^(Get|BatchGet|Query|Scan)/.test(operation))
  const requests = onTables.map((call) => requestOf(call, table))
  return {
    dynamoDb: requests.map(({ request }) => request),
    indexWrites: requests.reduce((sum, each) => sum + each.indexWrites, 0),
    kms: {
      symmetric: kms.filter((operation) => operation !== 'Sign').length,
      asymmetric: kms.filter((operation) => operation === 'Sign').length,
    },
    stripe: (await stack.emulator.requests()).filter(({ path }) => path.startsWith('/v1/')).length,
    logBytes: Buffer.byteLength(logged),
    inconsistentReads: reads.flatMap(({ operation, input }) =>
      JSON.stringify(input).includes('"ConsistentRead":true') ? [] : [operation],
    ),
  }
}

/** What a run logs. Forgets earlier calls; standard output stays muted after it. */
async function logOf(stack: BillingStack, run: () => Promise<unknown>): Promise<string> {
  const logged: string[] = []
  const output = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => logged.push(String(chunk)) > 0)
  stack.iam.forgetCalls()
  try {
    await run()
  } finally {
    output.mockReturnValue(true)
  }
  return logged.filter((line) => line.startsWith('{')).join('')
}

type StoredItem = Record<string, unknown>

const kinds = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem'] as const
const kind = z.literal([...kinds, 'TransactGetItems', 'TransactWriteItems'])
const keys = z.looseObject({ Keys: z.array(z.unknown()) })
const put = z.looseObject({ Item: z.record(z.string(), z.unknown()) })
const deleted = z.looseObject({ Key: z.looseObject({ sk: z.looseObject({ S: z.string() }) }) })
const input = z.looseObject({
  RequestItems: z.record(z.string(), keys).optional(),
  TransactItems: z
    .array(z.looseObject({ Put: put.optional(), Get: z.unknown().optional(), Delete: deleted.optional() }))
    .optional(),
  Item: put.shape.Item.optional(),
  ConsistentRead: z.boolean().optional(),
  UpdateExpression: z.string().optional(),
})

/** The request as the cost table lists it, and its writes to the indexes. Writes what it puts into `table`. */
function requestOf(call: AwsCall, table: Map<string, StoredItem>): { request: DynamoDbRequest; indexWrites: number } {
  const operation = kind.parse(call.operation)
  const { RequestItems, TransactItems, Item, UpdateExpression } = input.parse(call.input)
  const transacted = (TransactItems ?? []).filter(({ Get }) => Get !== undefined)
  const read = [...Object.values(RequestItems ?? {}).flatMap(({ Keys }) => Keys), ...transacted]
  const written = TransactItems ? TransactItems.map(({ Put }) => Put?.Item) : [Item]
  // An event that leaves the outbox leaves its index too.
  const relayed = (TransactItems ?? []).filter((item) => item.Delete?.Key.sk.S.startsWith('OUTBOX#'))
  const puts = written.map((item) => putInto(table, item))
  const { ConsistentRead } = input.parse(call.input)
  return {
    request: [
      operation,
      operation === 'Query' && !ConsistentRead
        ? 0.5
        : read.length || puts.reduce((sum, { kilobytes }) => sum + kilobytes, 0),
    ],
    indexWrites:
      puts.filter(({ inOrOut }) => inOrOut).length +
      (UpdateExpression?.includes('custDigest') ? 1 : 0) +
      relayed.length,
  }
}

const keyOf = ({ pk, sk }: StoredItem) => JSON.stringify([pk, sk])

/** A write is charged for the larger of the old and the new item. A write that is no Put counts as 1 KB. */
function putInto(table: Map<string, StoredItem>, item: StoredItem | undefined) {
  if (item === undefined) return { kilobytes: 1, inOrOut: false }
  const before = table.get(keyOf(item)) ?? {}
  table.set(keyOf(item), item)
  const bytes = Math.max(itemSize(before), itemSize(item))
  return {
    kilobytes: Math.ceil(bytes / 1024),
    inOrOut: [before.pendingKey, before.dueKey].join() !== [item.pendingKey, item.dueKey].join(),
  }
}
