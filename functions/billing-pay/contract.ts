import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { paymentMethodId } from '../../lib/billing/customer/cardResource.ts'
import { subscriptionResource } from '../../lib/billing/slot/subscriptionResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { nullAsAbsent, organizationId } from '../../lib/http/schema.ts'

/** POST /api/billing/subscriptions/{product}/pay. */
export const contract = {
  scope: 'billing:write',
  path: z.object({ product: productSchema }),
  query: z.object({ organization_id: organizationId() }),
  body: z.object({ payment_method_id: nullAsAbsent(paymentMethodId()) }),
  responses: {
    200: z.object({
      subscription: subscriptionResource,
      client: z.object({ action: z.enum(['none', 'confirm_payment']), client_secret: z.nullable(z.string()) }),
    }),
    402: errorOf('card_declined', 'payment_method_required', 'payment_method_invalid'),
    404: errorOf('not_subscribed'),
    409: errorOf('nothing_to_pay', 'checkout_in_progress', 'card_not_accepted'),
  },
} as const satisfies Contract
