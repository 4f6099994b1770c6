import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { products } from '../../billing/catalog.ts'
import { type Deletion, type DueDeletion, REMINDER } from '../../core/deletion.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { type Key, queryItems } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { deleteItem } from './kit/writeItem.ts'
import { organizationKey } from './organizationItem.ts'
import { checkSlotFree } from './slotStore.ts'

/** Nothing is sold to an organization: each slot is free. Purchases see in turn, once they have claimed, that it is being deleted (`readClaims`). */
export function checkSlotsFree(table: string, organizationId: OrganizationId): TransactItem[] {
  return products.map((product) => checkSlotFree(table, { organizationId, product }))
}

/** The members that an organization has, as they were read. */
interface Members {
  readonly owners: number
  readonly joined: number
}

/**
 * Plans the erasure of an organization to which nothing is sold. Fails if its deletion is planned already, or, with
 * `members`, if a member has joined since.
 */
export function scheduleOrganization(
  table: string,
  organizationId: OrganizationId,
  { organizations: _, ...deletion }: Deletion & { organizations?: unknown },
  { members, steps }: { members?: Members; steps?: readonly DueDeletion<string>['step'][] } = {},
): TransactItem[] {
  const asRead =
    members === undefined
      ? []
      : ['owners = :owners', members.joined === 0 ? 'attribute_not_exists(joined)' : 'joined = :joined']
  return [
    {
      Update: {
        TableName: table,
        Key: organizationKey(organizationId),
        UpdateExpression: 'SET deletion = :deletion',
        ConditionExpression: ['attribute_exists(pk)', 'attribute_not_exists(deletion)', ...asRead].join(' AND '),
        ExpressionAttributeValues: {
          ':deletion': deletion,
          ...(members && { ':owners': members.owners }),
          ...(members && members.joined > 0 && { ':joined': members.joined }),
        },
      },
    },
    ...checkSlotsFree(table, organizationId),
    ...putDue(table, organizationId, deletion, steps),
  ]
}

/** Takes the deletion of an organization back, while its erasure has not begun. */
export function restoreOrganizationItems(
  table: string,
  organizationId: OrganizationId,
  deletion: Pick<Deletion, 'eraseAfter'>,
): TransactItem[] {
  return [
    {
      Update: {
        TableName: table,
        Key: organizationKey(organizationId),
        UpdateExpression: 'REMOVE deletion',
        ...whileScheduled(deletion),
      },
    },
    ...deleteDue(table, organizationId, deletion),
  ]
}

/** Passes only while this deletion is planned, and its erasure has not begun. */
export function whileScheduled({ eraseAfter }: Pick<Deletion, 'eraseAfter'>) {
  return {
    ConditionExpression: 'deletion.eraseAfter = :eraseAfter AND attribute_not_exists(deletion.erasingSince)',
    ExpressionAttributeValues: { ':eraseAfter': eraseAfter },
  }
}

/**
 * From then on the deletion cannot be undone. Its time is part of the condition: when an undoing and an erasure
 * compete, only the first succeeds. Passes again if the erasure has begun before.
 */
export function beginErasure({ eraseAfter }: Pick<Deletion, 'eraseAfter'>, now: number) {
  return {
    UpdateExpression: 'SET deletion.erasingSince = if_not_exists(deletion.erasingSince, :now)',
    ConditionExpression: 'deletion.eraseAfter = :eraseAfter AND deletion.eraseAfter <= :now',
    ExpressionAttributeValues: { ':eraseAfter': eraseAfter, ':now': now },
  }
}

/**
 * A partition of each table holds the pending deletions, sorted by the time of their next step. A consistent query
 * reads the due steps; nothing scans a table.
 */
const PARTITION = 'DELETION'

const stepSchema = z.enum(['remind', 'erase'])
const dueItem = z.object({ step: stepSchema, id: z.string(), eraseAfter: z.int() })

/** RFC 3339 with milliseconds: text in the order of time. */
const timeOf = (at: number) => new Date(at).toISOString()

function dueKey({ step, id, eraseAfter }: DueDeletion<string>): Key {
  const at = step === 'remind' ? eraseAfter - REMINDER : eraseAfter
  return { pk: PARTITION, sk: `${timeOf(at)}#${step}#${id}` }
}

/** Stores the steps of a deletion until they are due; in the transaction that writes the deletion. */
export function putDue(
  TableName: string,
  id: string,
  { eraseAfter }: Pick<Deletion, 'eraseAfter'>,
  steps: readonly DueDeletion<string>['step'][] = stepSchema.options,
): TransactItem[] {
  return steps.map((step) => {
    const due = { step, id, eraseAfter }
    return { Put: { TableName, Item: { ...dueKey(due), ...due } } }
  })
}

/** Deletes the steps of a deletion, done or not. */
export function deleteDue(TableName: string, id: string, { eraseAfter }: Pick<Deletion, 'eraseAfter'>): TransactItem[] {
  return stepSchema.options.map((step) => ({ Delete: { TableName, Key: dueKey({ step, id, eraseAfter }) } }))
}

/** Lists and dismisses the due steps of a table. Throws CommonError `service_unavailable`. */
export function createDueDeletions<Id extends string>(
  client: DynamoDBDocumentClient,
  TableName: string,
  parseId: (id: string) => Id,
) {
  return {
    /** Every step that is due at `now`, in Unix milliseconds, the earliest first. Consistent. */
    async listDue(now: number): Promise<DueDeletion<Id>[]> {
      const items = await queryItems(client, {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk < :after',
        ExpressionAttributeValues: { ':pk': PARTITION, ':after': timeOf(now + 1) },
      })
      return items.map((item) => {
        const { id, ...due } = dueItem.parse(item)
        return { ...due, id: parseId(id) }
      })
    },

    /** Deletes a step when it is done, or when there is nothing left to do. */
    dismiss: (due: DueDeletion<Id>): Promise<void> => deleteItem(client, TableName, dueKey(due)),
  }
}
