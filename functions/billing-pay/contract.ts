import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { paymentMethodId } from '../../lib/billing/customer/cardResource.ts'
import { subscriptionResource } from '../../lib/billing/slot/subscriptionResource.ts'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, nullAsAbsent, organizationId } from '../../lib/http/schema.ts'

/** POST /api/billing/subscriptions/{product}/pay. */
export const contract = {
  scope: 'billing:write',
  path: z.object({ product: described('The product to act on', productSchema) }),
  query: z.object({ organization_id: organizationId() }),
  body: z.object({
    payment_method_id: described(
      'The card to pay with; the organization’s default card if omitted',
      nullAsAbsent(paymentMethodId()),
    ),
  }),
  responses: {
    200: z.object({
      subscription: described('The subscription after the payment', subscriptionResource),
      client: described(
        'What the client has to do',
        z.object({
          action: described(
            '`confirm_payment`: finish the payment with Stripe.js and `client_secret`',
            z.enum(['none', 'confirm_payment']),
          ),
          client_secret: described('For the payment that waits for authentication', z.nullable(z.string())),
        }),
      ),
    }),
    402: errorOf('card_declined', 'payment_method_required', 'payment_method_invalid'),
    404: errorOf('not_subscribed'),
    409: errorOf('nothing_to_pay', 'checkout_in_progress', 'card_not_accepted'),
  },
} as const satisfies Contract
