import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import type { LineError } from '../../lib/billing/checkout/lineError.ts'
import { refusedLineResource } from '../../lib/billing/checkout/refusedLineResource.ts'
import { paymentMethodId } from '../../lib/billing/customer/cardResource.ts'
import { priceMembers } from '../../lib/billing/slot/priceResource.ts'
import { heldStateSchema } from '../../lib/billing/slot/slot.ts'
import type { Contract } from '../../lib/http/contract.ts'
import {
  boundedList,
  boundedString,
  described,
  named,
  nullAsAbsent,
  organizationId,
  patternString,
} from '../../lib/http/schema.ts'

/** The status if no line of a cart was bought, by the error of its first line. */
export const statusOf = {
  unknown_plan: 404,
  price_changed: 409,
  currency_mismatch: 409,
  not_for_sale: 404,
  already_subscribed: 409,
  checkout_in_progress: 409,
  coupon_already_redeemed: 409,
  coupon_invalid: 400,
  coupon_expired: 400,
  coupon_not_applicable: 400,
  payment_method_required: 402,
  payment_method_invalid: 402,
  card_declined: 402,
  billing_details_required: 409,
  invoice_overdue: 409,
  organization_deleting: 409,
  gateway_refused: 502,
  gateway_unavailable: 503,
} as const satisfies Record<LineError, number>

const bought = named(
  'BoughtLine',
  z.object({
    ok: described('Always true: the line was bought, or waits for the user', z.literal(true)),
    product_code: described('The plan code as it was sent', z.string()),
    product: described('What was bought', productSchema),
    subscription: described(
      'The new subscription',
      named(
        'BoughtSubscription',
        z.object({
          product: described('What was bought', productSchema),
          plan_code: described('The plan code that it was bought by', z.string()),
          status: described('The state of the subscription', heldStateSchema),
          current_period_end: described('The end of the period that is paid for', z.nullable(z.iso.datetime())),
          cancel_at: described('When it ends, if it was canceled', z.nullable(z.iso.datetime())),
          coupon_code: described('The code or id of its coupon; null if it has none', z.nullable(z.string())),
          ...priceMembers,
        }),
      ),
    ),
    client: described(
      'What the client has to do',
      named(
        'ClientAction',
        z.object({
          action: described(
            '`confirm_payment`: finish the payment with Stripe.js and `client_secret`',
            z.enum(['none', 'confirm_payment']),
          ),
          client_secret: described('For the payment that waits for authentication', z.nullable(z.string())),
        }),
      ),
    ),
  }),
)

const line = named('CartLineResult', z.discriminatedUnion('ok', [bought, refusedLineResource]))
export type Line = z.output<typeof line>

const lines = z.array(line)

/** POST /api/billing/checkout: a line per requested code, in request order, at every status below. */
export const contract = {
  scope: 'billing:write',
  query: z.object({ organization_id: organizationId() }),
  body: z.object({
    product_codes: described(
      'Plan codes; an unknown plan code is refused in its own line',
      boundedList(boundedString({ min: 1, max: 64 }), { min: 1, max: 20 }),
    ),
    payment_method_id: described(
      'A card that was set up with a setup intent; the organization’s default card if omitted',
      nullAsAbsent(paymentMethodId()),
    ),
    coupon_code: described(
      'A promotion code, in any case, or a coupon’s id',
      nullAsAbsent(patternString(/^[A-Za-z0-9_-]{1,64}$/)),
    ),
    expected_subtotal: described(
      'The `subtotal` of the preview: if it differs now, nothing is bought; together with `currency`',
      nullAsAbsent(z.int().check(z.minimum(0))),
    ),
    currency: described(
      'The `currency` of the preview; together with `expected_subtotal`',
      nullAsAbsent(patternString(/^[a-z]{3}$/)),
    ),
  }),
  responses: { 201: lines, 400: lines, 402: lines, 404: lines, 409: lines, 502: lines, 503: lines },
  answerHeaders: { 409: ['Retry-After'] },
} as const satisfies Contract
