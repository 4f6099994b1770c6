import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import {
  type AuditEntry,
  type AuditLog,
  auditActorTypeSchema,
  type StoredAuditEntry,
} from '../../organizations/ports.ts'
import { callStore } from './kit/callStore.ts'
import {
  type NamedItems,
  type TransactItem,
  type TransactResult,
  transactWriteOrConflict,
} from './kit/transactWrite.ts'

/** How long an entry is kept: a year, and what an auditor takes to come back to it. */
const KEPT_DAYS = 400
const DAY = 86_400_000

/** By time to the millisecond, and then by id. */
function auditEntryKey({ organizationId, at, id }: Pick<AuditEntry, 'organizationId' | 'at' | 'id'>) {
  return { pk: partitionOf(organizationId), sk: `${new Date(at).toISOString()}#${id}` }
}

function partitionOf(organizationId: OrganizationId): string {
  return `ORG#${organizationId}`
}

const auditEntryItem = z.object({
  organizationId: organizationIdSchema,
  id: z.string(),
  at: z.int(),
  actor: z.object({ type: auditActorTypeSchema, id: z.nullable(z.string()) }),
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.array(z.string())])),
})

/**
 * Adds an entry, and never overwrites an existing entry.
 * @param table undefined for a function that writes no entries
 */
export function putAuditEntry(table: string | undefined, entry: AuditEntry): TransactItem {
  if (table === undefined) throw new Error('This function has no audit log')
  return {
    Put: {
      TableName: table,
      Item: { ...auditEntryKey(entry), ...entry, expiresAt: Math.ceil((entry.at + KEPT_DAYS * DAY) / 1000) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  }
}

/**
 * Writes a change with its entry, or neither. If the entry is stored already, so is its change: an acknowledgement was lost. A refusal without a
 * failed name means that another transaction was in the way.
 * @throws CommonError `service_unavailable`
 */
export async function transactWithEntry<Name extends string>(
  client: DynamoDBDocumentClient,
  table: string | undefined,
  entry: AuditEntry,
  items: NamedItems<Name>,
): Promise<TransactResult<Name | 'entry'>> {
  const result = await transactWriteOrConflict<Name | 'entry'>(client, { ...items, entry: putAuditEntry(table, entry) })
  return result.kind === 'refused' && result.failed.has('entry') ? { kind: 'written' } : result
}

/** Sorts after every time: the start of the first page. */
const END = '~'

/** The last millisecond that a sort key can hold. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** How many entries one query reads to find those of an action or an actor, and how many such queries a page takes. Entries are small. */
const READ_AT_ONCE = 500
const MAX_READS = 4

function earliest(one: string, other: string): string {
  return [one, other].toSorted()[0] ?? one
}

/** `AuditLog` on DynamoDB, in the table `auditLog`. */
export function createAuditLog(client: DynamoDBDocumentClient, table: string | undefined): AuditLog {
  /** The newest entries before a position, and whether there are older entries. */
  async function readBefore(organizationId: OrganizationId, position: string, limit: number) {
    const query = new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit,
      KeyConditionExpression: 'pk = :pk AND sk < :after',
      ExpressionAttributeValues: { ':pk': partitionOf(organizationId), ':after': position },
    })
    const { Items = [], LastEvaluatedKey } = await callStore(() => client.send(query))
    const entries: StoredAuditEntry[] = Items.map((item) => auditEntryItem.parse(item))
    return { entries, isLast: LastEvaluatedKey === undefined }
  }

  return {
    async list(organizationId, { limit, after = END, now, action, actorId, from = 0, to = LAST_TIME }) {
      // DynamoDB deletes what has expired within some days only.
      const isOver = ({ at }: StoredAuditEntry) => at < from || at <= now - KEPT_DAYS * DAY
      const isWanted = (entry: StoredAuditEntry) =>
        (action === undefined || entry.action === action) && (actorId === undefined || entry.actor.id === actorId)
      const isFiltered = action !== undefined || actorId !== undefined
      // The extra item shows if there is another page.
      const size = isFiltered ? READ_AT_ONCE : limit + 1
      const entries: StoredAuditEntry[] = []
      let position = earliest(after, to < LAST_TIME ? new Date(Math.max(to, 0)).toISOString() : END)
      for (let reads = 0; reads < MAX_READS; reads += 1) {
        const read = await readBefore(organizationId, position, size)
        for (const entry of read.entries) {
          if (isOver(entry)) return { entries }
          if (isWanted(entry)) {
            if (entries.length === limit) return { entries, next: position }
            entries.push(entry)
          }
          position = auditEntryKey(entry).sk
        }
        if (read.isLast) return { entries }
      }
      return { entries, next: position }
    },
  }
}
