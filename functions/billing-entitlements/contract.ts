import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { conditionalRead } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { named, organizationId } from '../../lib/http/schema.ts'

/** GET /api/billing/entitlements: an entitlement for each product. */
export const contract = {
  scope: 'entitlements:read',
  forServiceClients: true,
  query: z.object({ organization_id: organizationId() }),
  headers: conditionalRead,
  responses: {
    200: named(
      'EntitlementList',
      z.object({
        entitlements: z.array(
          named(
            'Entitlement',
            z.object({
              product: productSchema,
              active: z.boolean(),
              valid_until: z.nullable(z.iso.datetime()),
              updated_at: z.iso.datetime(),
            }),
          ),
        ),
        updated_at: z.iso.datetime(),
      }),
    ),
    304: z.undefined(),
  },
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
} as const satisfies Contract
