import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { conditionalRead } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named, noNextCursor, organizationId } from '../../lib/http/schema.ts'

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
        entitlements: described(
          'An entitlement for each product',
          z.array(
            named(
              'Entitlement',
              z.object({
                product: described('What the organization may use, or may not', productSchema),
                active: described('While the subscription is trialing, active or past_due', z.boolean()),
                valid_until: described('The end of what is paid for', z.nullable(z.iso.datetime())),
                updated_at: described('When the entitlement last changed', z.iso.datetime()),
              }),
            ),
          ),
        ),
        next_cursor: noNextCursor,
        updated_at: described('When the newest of them last changed', z.iso.datetime()),
      }),
    ),
    304: z.undefined(),
  },
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
} as const satisfies Contract
