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
    ok: z.literal(true),
    product_code: z.string(),
    product: productSchema,
    subscription: named(
      'BoughtSubscription',
      z.object({
        product: productSchema,
        plan_code: z.string(),
        status: heldStateSchema,
        current_period_end: z.nullable(z.iso.datetime()),
        cancel_at: z.nullable(z.iso.datetime()),
        coupon_code: z.nullable(z.string()),
        ...priceMembers,
      }),
    ),
    client: named(
      'ClientAction',
      z.object({ action: z.enum(['none', 'confirm_payment']), client_secret: z.nullable(z.string()) }),
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
    product_codes: boundedList(boundedString({ min: 1, max: 64 }), { min: 1, max: 20 }),
    payment_method_id: nullAsAbsent(paymentMethodId()),
    coupon_code: nullAsAbsent(patternString(/^[A-Za-z0-9_-]{1,64}$/)),
    expected_subtotal: nullAsAbsent(z.int().check(z.minimum(0))),
    currency: nullAsAbsent(patternString(/^[a-z]{3}$/)),
  }),
  responses: { 201: lines, 400: lines, 402: lines, 404: lines, 409: lines, 502: lines, 503: lines },
  answerHeaders: { 409: ['Retry-After'] },
} as const satisfies Contract
