import { type DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { productOf } from '../../billing/catalog.ts'
import type { PendingSlot, SlotListing } from '../../billing/ports.ts'
import { organizationIdSchema } from '../../core/ids.ts'
import { PENDING, parseSlot } from './slot.ts'
import { storeUnavailable } from './storeUnavailable.ts'

const pendingItem = z
  .object({ pk: z.string(), sk: z.string(), firstSent: z.number() })
  .transform(({ sk, firstSent }, context): PendingSlot => {
    const [, planCode = '', id] = /^SLOT#([^:]+):(.+)$/.exec(sk) ?? []
    const product = productOf(planCode)
    const organizationId = organizationIdSchema.safeParse(id).data
    if (product && organizationId) return { organizationId, product, firstSent }
    context.addIssue(`not a slot: ${sk}`)
    return z.NEVER
  })

/** `SlotListing` on DynamoDB: a query of the sparse index, and a scan of the table `billing`. */
export function createSlotListing(client: DynamoDBDocumentClient, table: string): SlotListing {
  return {
    async listPending() {
      const pages = paginateQuery(
        { client },
        {
          TableName: table,
          IndexName: 'pending',
          KeyConditionExpression: 'pendingKey = :pending',
          ExpressionAttributeValues: { ':pending': PENDING },
        },
      )
      return (await allItems(pages)).map((item) => pendingItem.parse(item))
    },

    async listHeld() {
      const pages = paginateScan(
        { client },
        {
          TableName: table,
          ConsistentRead: true,
          FilterExpression: 'begins_with(sk, :slot) AND NOT #state IN (:none, :canceled)',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':slot': 'SLOT#', ':none': 'none', ':canceled': 'canceled' },
        },
      )
      return (await allItems(pages)).map(parseSlot)
    },
  }
}

async function allItems(pages: AsyncIterable<{ Items?: Record<string, unknown>[] | undefined }>) {
  const items: Record<string, unknown>[] = []
  try {
    for await (const { Items = [] } of pages) items.push(...Items)
  } catch (error) {
    throw storeUnavailable(error)
  }
  return items
}
