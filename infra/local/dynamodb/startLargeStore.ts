import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { marshall } from '@aws-sdk/util-dynamodb'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createCommand } from './createTables.ts'
import { organizationItems } from './generateOrganizations.ts'
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
