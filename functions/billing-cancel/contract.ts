import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { cancellationReasonSchema } from '../../lib/billing/gateway/subscription.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { laxBoolean, named, organizationId } from '../../lib/http/schema.ts'

/** POST /api/billing/cancel. */
export const contract = {
  scope: 'billing:write',
  query: z.object({ organization_id: organizationId() }),
  body: z.object({
    product: productSchema,
    at_period_end: z.prefault(laxBoolean(), true),
    reason: z.optional(cancellationReasonSchema),
  }),
  responses: {
    200: named(
      'CancelResult',
      z.object({
        status: z.enum(['cancellation_scheduled', 'canceled']),
        effective_at: z.nullable(z.iso.datetime()),
        refunded: z.optional(z.literal(true)),
      }),
    ),
    404: errorOf('not_subscribed'),
    409: errorOf('checkout_in_progress'),
  },
} as const satisfies Contract
