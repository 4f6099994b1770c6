import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { type Product, planCodes, productSchema } from '../../billing/catalog.ts'
import { productCode, type Slot, slotStateSchema } from '../../billing/slot.ts'
import { gatewayStatusSchema } from '../../billing/subscription.ts'
import { type OrganizationId, organizationIdSchema, userIdSchema } from '../../core/ids.ts'

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** The sweeper's sparse index holds exactly the pending slots. */
export const PENDING = 'PENDING'

export function slotKey(slot: { organizationId: OrganizationId; product: Product }) {
  return { pk: `ORG#${slot.organizationId}`, sk: `SLOT#${productCode(slot)}` }
}

const seconds = z.number().int()
const slotItem = z.object({
  organizationId: organizationIdSchema,
  product: productSchema,
  state: slotStateSchema,
  n: z.number().int().nonnegative(),
  rev: z.number().int().positive(),
  claim: z
    .object({
      owner: z.string(),
      leaseUntil: z.number(),
      firstSent: z.number(),
      lastSent: z.number(),
      sweptAt: z.number().exactOptional(),
      frozenRequest: z.string(),
      userId: userIdSchema,
    })
    .exactOptional(),
  subscription: z
    .object({
      id: z.string(),
      status: gatewayStatusSchema,
      currentPeriodEnd: seconds.nullable(),
      cancelAt: seconds.nullable(),
      endedAt: seconds.nullable(),
      gatewayClock: seconds,
    })
    .exactOptional(),
  coupon: z.object({ id: z.string(), code: z.string(), userId: userIdSchema }).exactOptional(),
  payer: z.string().exactOptional(),
})

export function parseSlot(item: Record<string, unknown>): Slot {
  return slotItem.parse(item)
}

/** Writes the whole slot, on condition that its `rev` is still the one that was read; a loser gets what stands there. */
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
        ...(next.claim && { pendingKey: PENDING, firstSent: next.claim.firstSent }),
      },
      ConditionExpression: unchanged,
      ...(next.rev > 1 && { ExpressionAttributeValues: { ':read': next.rev - 1 } }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }
}

/** Passes only while the slot is free, whoever writes it next. */
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
