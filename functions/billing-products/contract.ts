import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named, noNextCursor } from '../../lib/http/schema.ts'

const pricedProduct = named(
  'PricedProduct',
  z.object({
    product: described('The name of the product in entitlements and cancellations', productSchema),
    plan_code: described('What a cart names it by', z.string()),
    name: described('Its name for people', z.string()),
    description: described('What it is; null if the gateway has no description', z.nullable(z.string())),
    price: described(
      'What a new purchase costs',
      z.object({
        amount: described('In the currency’s smallest unit, for `interval_count` intervals', z.int()),
        currency: described('ISO 4217, in lower case', z.string()),
        interval: described('The unit of a period', z.enum(['day', 'week', 'month', 'year'])),
        interval_count: described('How many units a period has', z.int()),
      }),
    ),
  }),
)

/** GET /api/billing/products: what is on sale. */
export const contract = {
  scope: 'billing:read',
  forServiceClients: true,
  responses: {
    200: z.object({ products: described('What is on sale', z.array(pricedProduct)), next_cursor: noNextCursor }),
  },
} as const satisfies Contract
