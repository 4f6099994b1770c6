import * as z from 'zod/mini'
import { productSchema } from '../../lib/billing/catalog.ts'
import { refusedLineResource } from '../../lib/billing/checkout/refusedLineResource.ts'
import type { Contract } from '../../lib/http/contract.ts'
import {
  boundedList,
  boundedString,
  named,
  nullAsAbsent,
  organizationId,
  patternString,
} from '../../lib/http/schema.ts'

const pricedLine = named(
  'PricedLine',
  z.object({
    ok: z.literal(true),
    product_code: z.string(),
    product: productSchema,
    amount: z.int(),
    discount: z.int(),
    tax: z.int(),
    total: z.int(),
    currency: z.string(),
  }),
)

const line = named('PreviewLine', z.discriminatedUnion('ok', [pricedLine, refusedLineResource]))
export type Line = z.output<typeof line>

/** POST /api/billing/checkout/preview: a line per requested code, in request order, even if every line is refused. */
export const contract = {
  scope: 'billing:read',
  query: z.object({ organization_id: organizationId() }),
  body: z.object({
    product_codes: boundedList(boundedString({ min: 1, max: 64 }), { min: 1, max: 20 }),
    coupon_code: nullAsAbsent(patternString(/^[A-Za-z0-9_-]{1,64}$/)),
  }),
  responses: { 200: z.object({ lines: z.array(line), subtotal: z.int(), total: z.int(), currency: z.string() }) },
} as const satisfies Contract
