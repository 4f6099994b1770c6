import * as z from 'zod'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { laxBoolean, organizationId } from '../../lib/http/scalars.ts'

/** POST /api/billing/cancel. */
export const contract = {
  query: z.object({ organization_id: organizationId() }),
  body: z.object({
    product: productSchema,
    at_period_end: laxBoolean().prefault(true),
  }),
  responses: {
    200: z.object({
      status: z.enum(['cancellation_scheduled', 'canceled']),
      effective_at: z.iso.datetime().nullable(),
    }),
    404: z.object({ detail: z.literal('Subscription not found') }),
    409: z.object({ detail: z.literal('CHECKOUT_IN_PROGRESS') }),
  },
} as const satisfies Contract
