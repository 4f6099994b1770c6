import type Stripe from 'stripe'
import * as z from 'zod'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import type { Context } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import { invalidRequest, missingParam, notInFuture } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { change, create, emit } from './events.ts'
import { requireRow } from './requireRow.ts'
import { resourceRoutes } from './resourceRoutes.ts'

type Coupon = Wire<Stripe.Coupon>

const createParams = p.paramsFor<Stripe.CouponCreateParams>()(
  {
    amount_off: p.integer(1).optional(),
    applies_to: p.nested({ products: z.array(p.text()) }).optional(),
    currency: p.text(3).optional(),
    duration: p.word(['forever', 'once', 'repeating']).optional(),
    duration_in_months: p.integer(1).optional(),
    id: p.text(200).optional(),
    max_redemptions: p.integer(1).optional(),
    metadata: p.metadata().optional(),
    name: p.text(40).optional(),
    percent_off: p.decimal().optional(),
    redeem_by: p.integer().optional(),
  },
  ['currency_options'],
)
const updateParams = p.paramsFor<Stripe.CouponUpdateParams>()(
  { metadata: p.metadata().optional(), name: p.unsettable(p.text(40)).optional() },
  ['currency_options'],
)
const listParams = p.paramsFor<Stripe.CouponListParams>()({ ...listShape })

/** Whether the coupon may still be redeemed at `now`: not past `redeem_by`, not used up. */
export function isCouponValid(coupon: Coupon, now: number): boolean {
  const usedUp = coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions
  return !usedUp && (coupon.redeem_by === null || coupon.redeem_by > now)
}

function checkTerms(context: Context, sent: p.ParsedBy<typeof createParams>): void {
  if ((sent.percent_off === undefined) === (sent.amount_off === undefined)) {
    throw invalidRequest('You must specify exactly one of percent_off and amount_off.', 'parameters_exclusive')
  }
  if (sent.percent_off !== undefined && (sent.percent_off <= 0 || sent.percent_off > 100)) {
    throw invalidRequest('Invalid percent_off: must be greater than 0 and at most 100', undefined, 'percent_off')
  }
  if (sent.amount_off !== undefined && sent.currency === undefined) {
    throw missingParam('currency')
  }
  if ((sent.duration === 'repeating') !== (sent.duration_in_months !== undefined)) {
    throw invalidRequest('duration_in_months goes with duration=repeating.', undefined, 'duration_in_months')
  }
  if (sent.redeem_by !== undefined && sent.redeem_by <= context.now) {
    throw notInFuture('redeem_by')
  }
  for (const product of sent.applies_to?.products ?? []) {
    requireRow(context, 'products', product, 'applies_to[products]')
  }
}

function createCoupon(context: Context, sent: p.ParsedBy<typeof createParams>): Coupon {
  if (sent.id !== undefined && context.store.get('coupons', sent.id)) {
    throw invalidRequest(`Coupon already exists.`, 'resource_already_exists', 'id')
  }
  checkTerms(context, sent)
  const coupon: Coupon = {
    id: sent.id ?? randomText(context.random, 8),
    object: 'coupon',
    amount_off: sent.amount_off ?? null,
    ...(sent.applies_to && { applies_to: sent.applies_to }),
    created: context.now,
    currency: sent.amount_off === undefined ? null : (sent.currency?.toLowerCase() ?? null),
    duration: sent.duration ?? 'once',
    duration_in_months: sent.duration_in_months ?? null,
    livemode: false,
    max_redemptions: sent.max_redemptions ?? null,
    metadata: p.mergeMetadata({}, sent.metadata),
    name: sent.name ?? null,
    percent_off: sent.percent_off ?? null,
    redeem_by: sent.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  }
  return create(context, 'coupons', coupon, 'coupon.created')
}

function deleteCoupon(context: Context, coupon: Coupon): Wire<Stripe.DeletedCoupon> {
  context.store.remove('coupons', coupon.id)
  context.store.put('deleted_coupons', coupon)
  emit(context, 'coupon.deleted', coupon)
  return { id: coupon.id, object: 'coupon', deleted: true }
}

/** Endpoints of https://docs.stripe.com/api/coupons. */
export const couponRoutes = resourceRoutes('coupons', {
  create: { params: createParams, run: createCoupon },
  list: { params: listParams },
  update: {
    params: updateParams,
    run: (context, coupon, sent) => change(context, 'coupons', coupon, p.sentChanges(coupon, sent), 'coupon.updated'),
  },
  remove: deleteCoupon,
})
