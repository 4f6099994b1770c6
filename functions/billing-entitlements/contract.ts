import * as z from 'zod'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/scalars.ts'

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
              valid_until: z.iso.datetime().nullable(),
              updated_at: z.iso.datetime(),
            })
            .meta({ id: 'Entitlement' }),
        ),
      })
      .meta({ id: 'EntitlementList' }),
  },
} as const satisfies Contract
