import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { named } from '../../lib/http/schema.ts'

const pricedProduct = named(
  'PricedProduct',
  z.object({
    product: productSchema,
    plan_code: z.string(),
    name: z.string(),
    description: z.nullable(z.string()),
    price: z.object({
      amount: z.int(),
      currency: z.string(),
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: z.int(),
    }),
  }),
)

/** GET /api/billing/products: what is on sale. */
export const contract = {
  scope: 'billing:read',
  forServiceClients: true,
  responses: { 200: z.object({ products: z.array(pricedProduct) }) },
} as const satisfies Contract
