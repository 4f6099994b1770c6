import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { productSchema } from '../../billing/catalog.ts'
import { recurringPriceSchema } from '../../billing/gateway/subscription.ts'
import type { MoneyMailName, MoneyMails } from '../../billing/mails/ports.ts'
import type { MoneyMail } from '../../billing/slot/moneyMail.ts'
import { organizationIdSchema } from '../../core/ids.ts'
import { type Item, type Key, queryPartition } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'
import { deleteItem, updateItem } from './kit/writeItem.ts'

/** A partition holds the mails that are still to be sent, so a consistent query reads them, and nothing scans the table. */
const PARTITION = 'MONEY_MAIL'

function mailKey({ organizationId, id }: MoneyMailName): Key {
  return { pk: PARTITION, sk: `${organizationId}#${id}` }
}

const seconds = z.int()
const mailItem = z.object({
  organizationId: organizationIdSchema,
  id: z.string(),
  at: z.int(),
  fact: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('bought'), product: productSchema, price: z.exactOptional(recurringPriceSchema) }),
    z.object({ kind: z.literal('canceled'), product: productSchema, endsAt: z.nullable(seconds) }),
    z.object({
      kind: z.literal('payment_failed'),
      product: productSchema,
      charge: z.exactOptional(z.object({ amount: z.int(), currency: z.string(), at: seconds })),
    }),
    z.object({ kind: z.literal('invoice_sent'), product: productSchema, page: z.nullable(z.string()) }),
    z.object({ kind: z.literal('card_expiring'), month: z.string() }),
  ]),
})
const claimedItem = z.object({ attempts: z.int() })
const nameItem = z.object({ organizationId: organizationIdSchema, id: z.string(), dueAt: z.int() })
const heldItem = z.object({ claimed: z.exactOptional(z.literal(true)), dueAt: z.int() })

/** Stores a mail to be sent; in the transaction that records its fact. */
export function putMoneyMail(TableName: string, mail: MoneyMail): TransactItem {
  return { Put: { TableName, Item: { ...mailKey(mail), ...mail, dueAt: mail.at } } }
}

/** `MoneyMails` on DynamoDB, in the table `billing`. */
export function createMoneyMails(client: DynamoDBDocumentClient, TableName: string): MoneyMails {
  return {
    async listDue(now) {
      const items = await queryPartition(client, TableName, { pk: PARTITION })
      return items
        .map((item) => nameItem.parse(item))
        .filter(({ dueAt }) => dueAt <= now)
        .toSorted((one, other) => one.dueAt - other.dueAt)
        .map(({ organizationId, id }) => ({ organizationId, id }))
    },

    async claim(name, { now, until }) {
      const result = await updateItem(client, {
        TableName,
        Key: mailKey(name),
        UpdateExpression: 'SET claimed = :true, dueAt = :until ADD attempts :one',
        ConditionExpression: 'dueAt <= :now AND attribute_not_exists(claimed)',
        ExpressionAttributeValues: { ':true': true, ':until': until, ':now': now, ':one': 1 },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      })
      if (result.kind === 'written') {
        const item = result.item ?? {}
        return { kind: 'claimed', mail: mailItem.parse(item), attempts: claimedItem.parse(item).attempts }
      }
      return result.stored && isCutOff(result.stored, now)
        ? { kind: 'cut_off', mail: mailItem.parse(result.stored) }
        : { kind: 'taken' }
    },

    async release(name, at) {
      await updateItem(client, {
        TableName,
        Key: mailKey(name),
        UpdateExpression: 'SET dueAt = :at REMOVE claimed',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':at': at },
      })
    },

    remove: (name) => deleteItem(client, TableName, mailKey(name)),
  }
}

function isCutOff(item: Item, now: number): boolean {
  const { claimed, dueAt } = heldItem.parse(item)
  return claimed === true && dueAt <= now
}
