import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { phases } from '../../billing/reconcile/pass.ts'
import type { PassRecords } from '../../billing/reconcile/passContext.ts'
import { emptySlot, productCode } from '../../billing/slot/slot.ts'
import { organizationIdSchema } from '../../core/ids.ts'
import { rememberChange } from './billingAccountStore.ts'
import { callStore } from './kit/callStore.ts'
import { readItem, readItems } from './kit/readItems.ts'
import { transactWrite, writeAll } from './kit/transactWrite.ts'
import { updateItem } from './kit/writeItem.ts'
import { putMoneyMail } from './moneyMailStore.ts'
import { parseSlot, slotKey } from './slotStore.ts'

const PASS = { pk: 'RECONCILIATION', sk: 'PASS' }

const count = z.int().check(z.nonnegative())
const passItem = z.object({
  id: z.string(),
  rev: z.int().check(z.positive()),
  startedAt: z.number(),
  phase: z.enum(phases),
  cursor: z.exactOptional(z.string()),
  adoptOnly: z.boolean(),
  counts: z.object({
    events: count,
    subscriptions: count,
    slots: count,
    refunds: count,
    disputes: count,
    /** Absent in items of before it was counted. */
    overdue: z._default(count, 0),
    drift: count,
    left: count,
  }),
  overdue: z.exactOptional(
    z.array(
      z.object({
        organizationId: z.nullable(organizationIdSchema),
        currency: z.string(),
        amount: z.int(),
        invoices: count,
        since: count,
      }),
    ),
  ),
  lastComplete: z.exactOptional(z.number()),
  /** The table that it was written to; absent in items of before it was kept. */
  table: z.optional(z.string()),
})

/** A cursor of a scan: the key after which it continues. */
const scanCursor = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text): unknown => JSON.parse(text)),
  ),
  z.object({ pk: z.string(), sk: z.string() }),
)

const mark = z.object({ seenIn: z.optional(z.string()) })

/**
 * `PassRecords` on DynamoDB, in the table `billing`: an item for the pass, and a mark on each slot that it saw. The
 * item names its table. If the names differ, the table was restored from a backup.
 */
export function createPassRecords(client: DynamoDBDocumentClient, TableName: string): PassRecords {
  return {
    async readPass() {
      const item = await readItem(client, TableName, PASS)
      if (item === undefined) return undefined
      const { table = TableName, ...pass } = passItem.parse(item)
      return { ...pass, ...(table !== TableName && { restored: true }) }
    },

    async writePass(pass) {
      const first = pass.rev === 1
      const put = {
        TableName,
        Item: { ...PASS, ...pass, table: TableName },
        ConditionExpression: first ? 'attribute_not_exists(pk)' : 'rev = :read',
        ...(!first && { ExpressionAttributeValues: { ':read': pass.rev - 1 } }),
      }
      return (await writeAll(client, { pass: { Put: put } })).kind === 'written'
    },

    async readSlots(names) {
      const slots = new Map(
        names.map((name) => [productCode(name), emptySlot(name.organizationId, name.product)] as const),
      )
      if (slots.size === 0) return []
      const item = await readItems(client, TableName, [...slots.values()].map(slotKey))
      return [...slots.values()].map((slot) => {
        const stored = item(slotKey(slot))
        return stored ? parseSlot(stored) : slot
      })
    },

    async markSeen(slot, subscriptionId, passId) {
      // A slot that holds another subscription by now is not this pass's any more.
      await updateItem(client, {
        TableName,
        Key: slotKey(slot),
        UpdateExpression: 'SET seenIn = :pass',
        ConditionExpression: 'subscription.id = :id',
        ExpressionAttributeValues: { ':pass': passId, ':id': subscriptionId },
      })
    },

    async noteExpiringCard(organizationId, month, mail) {
      const account = rememberChange(TableName, organizationId, { of: 'expiring_card', value: month })
      await transactWrite(client, { account, mail: putMoneyMail(TableName, mail) })
    },

    async listHeld(passId, cursor) {
      const { Items = [], LastEvaluatedKey } = await callStore(() =>
        client.send(
          new ScanCommand({
            TableName,
            ConsistentRead: true,
            FilterExpression: 'begins_with(sk, :slot) AND NOT #state IN (:none, :canceled)',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: { ':slot': 'SLOT#', ':none': 'none', ':canceled': 'canceled' },
            ...(cursor !== undefined && { ExclusiveStartKey: scanCursor.parse(cursor) }),
          }),
        ),
      )
      return {
        rows: Items.map((item) => ({ slot: parseSlot(item), seen: mark.parse(item).seenIn === passId })),
        ...(LastEvaluatedKey && { next: JSON.stringify(LastEvaluatedKey) }),
      }
    },
  }
}
