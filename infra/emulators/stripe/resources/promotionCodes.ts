import type Stripe from 'stripe'
import * as z from 'zod'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { type Context, newId } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { isCouponValid } from './coupons.ts'
import { change, create } from './events.ts'
import { requireRow } from './requireRow.ts'
import { resourceRoutes } from './resourceRoutes.ts'

type PromotionCode = Wire<Stripe.PromotionCode>

const createParams = p.paramsFor<Stripe.PromotionCodeCreateParams>()(
  {
    active: p.flag().optional(),
    code: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,500}$/)
      .optional(),
    customer: p.text().optional(),
    expires_at: p.integer().optional(),
    max_redemptions: p.integer(1).optional(),
    metadata: p.metadata().optional(),
    promotion: p.nested({ type: z.literal('coupon'), coupon: p.text() }),
    restrictions: p
      .nested({
        first_time_transaction: p.flag().optional(),
        minimum_amount: p.integer(1).optional(),
        minimum_amount_currency: p.text(3).optional(),
      })
      .optional(),
  },
  ['customer_account'],
)
const updateParams = p.paramsFor<Stripe.PromotionCodeUpdateParams>()(
  { active: p.flag().optional(), metadata: p.metadata().optional() },
  ['restrictions'],
)
const listParams = p.paramsFor<Stripe.PromotionCodeListParams>()(
  {
    ...listShape,
    active: p.flag().optional(),
    code: p.text().optional(),
    coupon: p.text().optional(),
    customer: p.text().optional(),
  },
  ['customer_account'],
)

/** Whether the code can be redeemed at `now`: switched on, not expired, not used up, and its coupon valid. */
export function isCodeActive(context: Pick<Context, 'store' | 'now'>, code: PromotionCode): boolean {
  const coupon = code.promotion.coupon === null ? undefined : context.store.get('coupons', code.promotion.coupon)
  const usedUp = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions
  const expired = code.expires_at !== null && code.expires_at <= context.now
  return code.active && !usedUp && !expired && coupon !== undefined && isCouponValid(coupon, context.now)
}

function sameCode(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function createCode(context: Context, sent: p.ParsedBy<typeof createParams>): PromotionCode {
  requireRow(context, 'coupons', sent.promotion.coupon, 'promotion[coupon]')
  if (sent.customer !== undefined) requireRow(context, 'customers', sent.customer, 'customer')
  const code = sent.code ?? randomText(context.random, 8).toUpperCase()
  const rival = context.store.all('promotion_codes').find((row) => {
    return isCodeActive(context, row) && sameCode(row.code, code) && row.customer === (sent.customer ?? null)
  })
  if (rival !== undefined) throw invalidRequest(`An active promotion code with \`code: ${code}\` already exists.`)
  const row: PromotionCode = {
    id: newId(context, 'promotion_codes'),
    object: 'promotion_code',
    active: sent.active ?? true,
    code,
    created: context.now,
    customer: sent.customer ?? null,
    customer_account: null,
    expires_at: sent.expires_at ?? null,
    livemode: false,
    max_redemptions: sent.max_redemptions ?? null,
    metadata: p.mergeMetadata({}, sent.metadata),
    promotion: sent.promotion,
    restrictions: {
      first_time_transaction: sent.restrictions?.first_time_transaction ?? false,
      minimum_amount: sent.restrictions?.minimum_amount ?? null,
      minimum_amount_currency: sent.restrictions?.minimum_amount_currency ?? null,
    },
    times_redeemed: 0,
  }
  return create(context, 'promotion_codes', row, 'promotion_code.created')
}

/** Endpoints of https://docs.stripe.com/api/promotion_codes. */
export const promotionCodeRoutes = resourceRoutes('promotion_codes', {
  create: { params: createParams, run: createCode },
  list: {
    params: listParams,
    same: ['customer'],
    where: (row, sent, context) =>
      (sent.active === undefined || sent.active === isCodeActive(context, row)) &&
      (sent.code === undefined || sameCode(row.code, sent.code)) &&
      (sent.coupon ?? row.promotion.coupon) === row.promotion.coupon,
  },
  update: {
    params: updateParams,
    run: (context, code, sent) =>
      change(context, 'promotion_codes', code, p.sentChanges(code, sent), 'promotion_code.updated'),
  },
})
