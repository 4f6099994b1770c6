import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { type Product, planCodes, productOf, productSchema } from '../../billing/catalog.ts'
import { gatewayNameSchema } from '../../billing/gateway/gatewayName.ts'
import {
  nextChargeSchema,
  openPaymentSchema,
  recurringPriceSchema,
  subscriptionStateSchema,
} from '../../billing/gateway/subscription.ts'
import type { PendingSlot, SlotListing } from '../../billing/slot/ports.ts'
import { productCode, type Slot, slotStateSchema } from '../../billing/slot/slot.ts'
import { type OrganizationId, organizationIdSchema, principalIdSchema } from '../../core/ids.ts'
import { frozenRequestSchema, packFrozenRequest } from './frozenRequest.ts'
import { queryItems } from './kit/readItems.ts'
import type { TransactItem } from './kit/transactWrite.ts'

/**
 * The partition of an organization's slots. It is separate from the organization and its members, because IAM can restrict partition keys
 * but not sort keys (`dynamodb:LeadingKeys`), and a function that may write members must not write purchases.
 */
function productsPartition(organizationId: OrganizationId): string {
  return `PRODUCTS#${organizationId}`
}

/** The sparse index `pending` holds exactly the pending slots. */
const PENDING = 'PENDING'

export function slotKey(slot: { organizationId: OrganizationId; product: Product }) {
  return { pk: productsPartition(slot.organizationId), sk: `SLOT#${productCode(slot)}` }
}

const seconds = z.int()
const slotItem = z.object({
  organizationId: organizationIdSchema,
  product: productSchema,
  state: slotStateSchema,
  n: z.int().check(z.nonnegative()),
  rev: z.int().check(z.positive()),
  raisedTo: z.exactOptional(z.int()),
  gateway: z.exactOptional(gatewayNameSchema),
  claim: z.exactOptional(
    z.object({
      gateway: z._default(gatewayNameSchema, 'card'),
      daysUntilDue: z.exactOptional(z.int()),
      owner: z.string(),
      leaseUntil: z.number(),
      firstSent: z.number(),
      lastSent: z.number(),
      nextSweepAt: z.number(),
      frozenRequest: frozenRequestSchema,
      requestHash: z.string(),
      savedAt: z.exactOptional(z.number()),
      userId: principalIdSchema,
    }),
  ),
  subscription: z.exactOptional(
    z.object({
      id: z.string(),
      status: subscriptionStateSchema,
      currentPeriodEnd: z.nullable(seconds),
      cancelAt: z.nullable(seconds),
      endedAt: z.nullable(seconds),
      coveredUntil: seconds,
      payment: z.exactOptional(openPaymentSchema),
      hostedInvoiceUrl: z.exactOptional(z.string()),
      refunded: z.exactOptional(z.literal(true)),
      price: z.exactOptional(recurringPriceSchema),
      nextCharge: z.exactOptional(z.nullable(nextChargeSchema)),
    }),
  ),
  coupon: z.exactOptional(
    z.object({ id: z.string(), code: z.string(), userId: principalIdSchema, redeemer: z.exactOptional(z.string()) }),
  ),
  payer: z.exactOptional(z.object({ owner: z.string(), userId: principalIdSchema, since: z.number() })),
})

export function parseSlot(item: Record<string, unknown>): Slot {
  return slotItem.parse(item)
}

/** Writes the whole slot if its stored `rev` is unchanged since the read; a conflict returns the stored slot. */
export function putSlot(table: string, next: Slot): TransactItem {
  const unchanged = next.rev === 1 ? 'attribute_not_exists(pk)' : 'rev = :read'
  return {
    Put: {
      TableName: table,
      Item: {
        ...slotKey(next),
        product_code: productCode(next),
        plan_code: planCodes[next.product],
        ...next,
        ...(next.claim && {
          claim: { ...next.claim, frozenRequest: packFrozenRequest(next.claim.frozenRequest) },
          pendingKey: PENDING,
          nextSweepAt: next.claim.nextSweepAt,
          firstSent: next.claim.firstSent,
        }),
      },
      ConditionExpression: unchanged,
      ...(next.rev > 1 && { ExpressionAttributeValues: { ':read': next.rev - 1 } }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

/** Passes only while the slot is free. */
export function checkSlotFree(table: string, slot: { organizationId: OrganizationId; product: Product }): TransactItem {
  return {
    ConditionCheck: {
      TableName: table,
      Key: slotKey(slot),
      ConditionExpression: 'attribute_not_exists(pk) OR #state IN (:none, :canceled)',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':none': 'none', ':canceled': 'canceled' },
    },
  }
}

/** Passes only while the slot is as it was read. */
export function checkSlotAsRead(table: string, slot: Slot): TransactItem {
  const ConditionExpression = slot.rev === 0 ? 'attribute_not_exists(pk)' : 'rev = :read'
  return {
    ConditionCheck: {
      TableName: table,
      Key: slotKey(slot),
      ConditionExpression,
      ...(slot.rev > 0 && { ExpressionAttributeValues: { ':read': slot.rev } }),
    },
  }
}

const pendingItem = z.pipe(
  z.object({ pk: z.string(), sk: z.string(), nextSweepAt: z.number(), firstSent: z.number() }),
  z.transform(({ sk, nextSweepAt, firstSent }, { issues }): PendingSlot => {
    const [, planCode = '', id] = /^SLOT#([^:]+):(.+)$/.exec(sk) ?? []
    const product = productOf(planCode)
    const organizationId = organizationIdSchema.safeParse(id).data
    if (product && organizationId) return { organizationId, product, nextSweepAt, firstSent }
    issues.push({ code: 'custom', input: sk, message: `not a slot: ${sk}` })
    return z.NEVER
  }),
)

/** `SlotListing` on DynamoDB: a query of the sparse index. */
export function createSlotListing(client: DynamoDBDocumentClient, TableName: string): SlotListing {
  return {
    async listPending() {
      const items = await queryItems(client, {
        TableName,
        IndexName: 'pending',
        KeyConditionExpression: 'pendingKey = :pending',
        ExpressionAttributeValues: { ':pending': PENDING },
      })
      return items.map((item) => pendingItem.parse(item))
    },
  }
}
