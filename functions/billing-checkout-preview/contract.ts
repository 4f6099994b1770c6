import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { refusedLineResource } from '../../lib/billing/checkout/refusedLineResource.ts'
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

const pricedLine = named(
  'PricedLine',
  z.object({
    ok: described('Always true: the line can be bought', z.literal(true)),
    product_code: described('The plan code as it was sent', z.string()),
    product: described('What would be bought', productSchema),
    amount: described('The price before discount and tax, in the currency’s smallest unit', z.int()),
    discount: described('The reduction by the coupon, before tax', z.int()),
    tax: described('The tax, also of a price that includes it', z.int()),
    total: described('The charge: `amount` minus `discount` plus `tax`', z.int()),
    currency: described('ISO 4217, in lower case', z.string()),
  }),
)

const line = named('PreviewLine', z.discriminatedUnion('ok', [pricedLine, refusedLineResource]))
export type Line = z.output<typeof line>

/** POST /api/billing/checkout/preview: a line per requested code, in request order, even if every line is refused. */
export const contract = {
  scope: 'billing:read',
  query: z.object({ organization_id: organizationId() }),
  body: z.object({
    product_codes: described(
      'Plan codes; an unknown plan code is refused in its own line',
      boundedList(boundedString({ min: 1, max: 64 }), { min: 1, max: 20 }),
    ),
    coupon_code: described(
      'A promotion code, in any case, or a coupon’s id',
      nullAsAbsent(patternString(/^[A-Za-z0-9_-]{1,64}$/)),
    ),
  }),
  responses: {
    200: z.object({
      lines: described('A line for each plan code, in the order of the request', z.array(line)),
      subtotal: described(
        'The sum of the `amount` of the lines that can be bought: for `expected_subtotal` of a checkout',
        z.int(),
      ),
      total: described('The sum of the `total` of the lines that can be bought', z.int()),
      currency: described('ISO 4217, in lower case', z.string()),
    }),
  },
} as const satisfies Contract
