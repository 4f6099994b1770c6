import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import {
  type AuditEntry,
  type AuditLog,
  auditActorTypeSchema,
  type StoredAuditEntry,
} from '../../organizations/ports.ts'
import type { Item } from './kit/readItems.ts'
import { readPage } from './kit/readPage.ts'
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

/** The last millisecond that a sort key can hold. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

function earliest(one: string | undefined, other: string): string {
  return one !== undefined && one < other ? one : other
}

/** `AuditLog` on DynamoDB, in the table `auditLog`. */
export function createAuditLog(client: DynamoDBDocumentClient, TableName: string | undefined): AuditLog {
  return {
    list(organizationId, { limit, after, now, action, actorId, from = 0, to = LAST_TIME }) {
      const list = { TableName, pk: partitionOf(organizationId), parse: parseEntry }
      const isFiltered = action !== undefined || actorId !== undefined
      const isWanted = (entry: StoredAuditEntry) =>
        (action === undefined || entry.action === action) && (actorId === undefined || entry.actor.id === actorId)
      return readPage(client, list, {
        limit,
        after: to < LAST_TIME ? earliest(after, new Date(Math.max(to, 0)).toISOString()) : after,
        // DynamoDB deletes what has expired within some days only.
        isOver: ({ at }) => at < from || at <= now - KEPT_DAYS * DAY,
        isWanted: isFiltered ? isWanted : undefined,
      })
    },
  }
}

function parseEntry(item: Item): StoredAuditEntry {
  return auditEntryItem.parse(item)
}
