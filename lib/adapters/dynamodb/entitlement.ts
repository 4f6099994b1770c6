import * as z from 'zod'
import { productSchema } from '../../billing/catalog.ts'
import type { Entitlement } from '../../billing/entitlement.ts'
import { type OrganizationId, organizationIdSchema } from '../../core/ids.ts'
import { productsPartition } from './productsPartition.ts'
import type { TransactItem } from './transactWrite.ts'

export function entitlementKey(organizationId: OrganizationId, product: string) {
  return { pk: productsPartition(organizationId), sk: `ENTITLEMENT#${product}` }
}

const entitlementItem = z.object({
  organizationId: organizationIdSchema,
  product: productSchema,
  active: z.boolean(),
  validUntil: z.string().nullable(),
  updatedAt: z.string(),
  endsAt: z.number().int().exactOptional(),
})

export function parseEntitlement(item: Record<string, unknown>): Entitlement {
  return entitlementItem.parse(item)
}

/** Unconditional: the transaction also writes the slot, whose condition decides. */
export function putEntitlement(table: string, entitlement: Entitlement): TransactItem {
  return {
    Put: {
      TableName: table,
      Item: { ...entitlementKey(entitlement.organizationId, entitlement.product), ...entitlement },
    },
  }
}
