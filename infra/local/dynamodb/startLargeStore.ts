import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { organizationKey } from '../../../lib/adapters/dynamodb/organizationItem.ts'
import { putSlot } from '../../../lib/adapters/dynamodb/slotStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { productAt } from '../../data/catalog.ts'
import { createCommand } from './createTables.ts'
import { type DynamoDbServer, startDynamoDb } from './startDynamoDb.ts'

/** How many organizations each write to the file holds. */
const IN_A_PIECE = 1000

/**
 * Starts DynamoDB with this many organizations in its table `billing`. It reads them from a file: batch writes would take eight times as
 * long. The file has the format of DynamoDB's exports to S3, an item a line.
 */
export async function startLargeStore(organizations: number): Promise<DynamoDbServer> {
  const folder = await mkdtemp(join(tmpdir(), 'organizations-'))
  const { localName } = tables.billing
  try {
    const [source, schema] = [join(folder, 'export'), join(folder, 'schema.json')]
    const items = join(source, localName, 'data', 'items.json')
    await mkdir(dirname(items), { recursive: true })
    await pipeline(Readable.from(linesOf(organizations)), createWriteStream(items))
    await writeFile(schema, JSON.stringify([{ Table: createCommand(localName, tables.billing).input }]))
    return await startDynamoDb({ imported: { source, schema } })
  } finally {
    await rm(folder, { recursive: true })
  }
}

function* linesOf(organizations: number): Iterable<string> {
  for (let first = 0; first < organizations; first += IN_A_PIECE) {
    const numbers = Array.from({ length: Math.min(IN_A_PIECE, organizations - first) }, (_, at) => first + at)
    const items = numbers.flatMap(organizationItems)
    yield items.map((item) => `${JSON.stringify({ Item: marshall(item, { removeUndefinedValues: true }) })}\n`).join('')
  }
}

/** DynamoDB's own limit for one batch. */
const ITEMS_IN_A_BATCH = 25

/**
 * Writes organizations straight into the table, each with a customer and a live subscription, so that the store is as large as after years
 * of sales. They have no members, and no gateway knows them.
 * @param from the number of the first organization. Organizations with other numbers stay
 */
export async function generateOrganizations(
  endpoint: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const client = createDocumentClient({ endpoint, region: 'us-east-1' })
  const size = ITEMS_IN_A_BATCH - 1
  let next = from
  const lane = async () => {
    for (let first = next; first < to; first = next) {
      next = first + size / 2
      const numbers = Array.from({ length: Math.min(size / 2, to - first) }, (_, at) => first + at)
      const puts = numbers.flatMap(organizationItems).map((Item) => ({ PutRequest: { Item } }))
      await client.send(new BatchWriteCommand({ RequestItems: { [tables.billing.localName]: puts } }))
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  client.destroy()
}

export function organizationItems(number: number): Record<string, unknown>[] {
  const organizationId = organizationIdSchema.parse(`00000000-0000-4000-9000-${number.toString(16).padStart(12, '0')}`)
  const account = {
    ...organizationKey(organizationId),
    organizationId,
    name: `Organization ${number}`,
    createdAt: '2026-01-01T00:00:00Z',
    custRev: 0,
    owners: 1,
    custCipher: `cipher-${number}`,
    custDigest: createHash('sha256').update(`cus_${number}`).digest('hex'),
  }
  const subscription = {
    id: `sub_${number}`,
    status: 'active' as const,
    currentPeriodEnd: 1_798_761_600,
    cancelAt: null,
    endedAt: null,
    coveredUntil: 1_796_083_200,
  }
  const slot = putSlot(tables.billing.localName, {
    organizationId,
    product: productAt(1).product,
    state: 'active',
    n: 1,
    rev: 3,
    gateway: 'card',
    subscription,
  })
  return [account, slot.Put?.Item ?? {}]
}
