import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'

/** GET /api/billing/entitlements: one for each product. */
export const contract = {
  scope: 'entitlements:read',
  query: z.object({ organization_id: organizationId() }),
  responses: {
    200: z
      .object({
        entitlements: z.array(
          z
            .object({
              product: productSchema,
              active: z.boolean(),
              valid_until: z.nullable(z.iso.datetime()),
              updated_at: z.iso.datetime(),
            })
            .register(z.globalRegistry, { id: 'Entitlement' }),
        ),
      })
      .register(z.globalRegistry, { id: 'EntitlementList' }),
  },
} as const satisfies Contract
