import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { cancellationReasonSchema } from '../../lib/billing/gateway/subscription.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, laxBoolean, named, organizationId } from '../../lib/http/schema.ts'

/** POST /api/billing/cancel. */
export const contract = {
  scope: 'billing:write',
  query: z.object({ organization_id: organizationId() }),
  body: z.object({
    product: described('The product whose subscription ends', productSchema),
    at_period_end: described(
      '`false` ends it at once. Also read from `1`, `"true"`, `"off"` and the like',
      z.prefault(laxBoolean(), true),
    ),
    reason: described('Why, for the audit log', z.optional(cancellationReasonSchema)),
  }),
  responses: {
    200: named(
      'CancelResult',
      z.object({
        status: described(
          'Whether it is scheduled to end or has ended',
          z.enum(['cancellation_scheduled', 'canceled']),
        ),
        effective_at: described('When it ends or ended; null if that is not known', z.nullable(z.iso.datetime())),
        refunded: described(
          'A payment that was not known when the request came went back; else left out',
          z.optional(z.literal(true)),
        ),
      }),
    ),
    404: errorOf('not_subscribed'),
    409: errorOf('checkout_in_progress'),
  },
} as const satisfies Contract
