import type Stripe from 'stripe'
import * as z from 'zod'
import { addMonths } from '../billing/cycle.ts'
import * as p from '../params/params.ts'
import { type Context, newId } from '../state/context.ts'
import { subtotalOf } from '../subscriptions/subscriptionItems.ts'
import { invalidRequest, missingParam, resourceMissing } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { isCouponValid } from './coupons.ts'
import { change, create, emit } from './events.ts'
import { isCodeActive } from './promotionCodes.ts'
import { requireRow } from './requireRow.ts'

type Discount = Wire<Stripe.Discount>
type Coupon = Wire<Stripe.Coupon>

const discountShape = { coupon: p.text().optional(), promotion_code: p.text().optional() }

/** The `discounts` parameter of a subscription. */
export const discountsParam = p.unsettable(z.array(p.nested(discountShape)).max(20))

/** The `discounts` parameter of an update. It keeps an existing `discount` if it names it. */
export const updatedDiscountsParam = p.unsettable(
  z.array(p.nested({ ...discountShape, discount: p.text().optional() })).max(20),
)

/** What a checked `discounts` parameter asks for: the coupons to apply, and through which promotion codes. */
interface WantedDiscount {
  coupon: Coupon
  promotion_code: Wire<Stripe.PromotionCode> | null
}

/** The customer of a new discount, and the subtotal it is taken off. */
interface DiscountTarget {
  customer: string
  subtotal: number
  currency: string
}

function checkCoupon(context: Context, coupon: Coupon, currency: string, param: string): void {
  if (coupon.amount_off !== null && coupon.currency !== currency) {
    const message = `The coupon ${coupon.id} is in ${coupon.currency} and cannot be applied to a subscription in ${currency}.`
    throw invalidRequest(message, undefined, param)
  }
  if (isCouponValid(coupon, context.now)) return
  if (coupon.redeem_by !== null && coupon.redeem_by <= context.now) {
    throw invalidRequest(`Coupon ${coupon.id} is expired and cannot be applied.`, 'coupon_expired', param)
  }
  throw invalidRequest(`Coupon ${coupon.id} is used up and cannot be applied.`, undefined, param)
}

function byCode(context: Context, id: string, target: DiscountTarget, param: string): WantedDiscount {
  const { customer, subtotal } = target
  const code = requireRow(context, 'promotion_codes', id, param)
  const coupon = requireRow(context, 'coupons', code.promotion.coupon ?? '', param)
  checkCoupon(context, coupon, target.currency, param)
  if (!isCodeActive(context, code)) throw invalidRequest('This promotion code is inactive.', undefined, param)
  if (code.customer !== null && code.customer !== customer) {
    throw invalidRequest('This promotion code is not available to this customer.', undefined, param)
  }
  if (code.restrictions.minimum_amount !== null && subtotal < code.restrictions.minimum_amount) {
    throw invalidRequest('The minimum amount of this promotion code is not reached.', undefined, param)
  }
  const paidBefore = context.store
    .all('charges')
    .some((charge) => charge.customer === customer && charge.status === 'succeeded')
  if (code.restrictions.first_time_transaction && paidBefore) {
    const message = 'This promotion code cannot be redeemed because the associated customer has prior transactions.'
    throw invalidRequest(message, undefined, param)
  }
  return { coupon, promotion_code: code }
}

/** Looks up and checks the coupons and codes in `discounts`. Throws a 400 if they cannot be redeemed. */
export function wantedDiscounts(
  context: Context,
  sent: z.output<typeof discountsParam> | undefined,
  target: DiscountTarget,
): WantedDiscount[] {
  return (sent ?? []).map((item, index) => {
    if (item.promotion_code !== undefined) {
      return byCode(context, item.promotion_code, target, `discounts[${index}][promotion_code]`)
    }
    const param = `discounts[${index}][coupon]`
    if (item.coupon === undefined) throw missingParam(param)
    const coupon = requireRow(context, 'coupons', item.coupon, param)
    checkCoupon(context, coupon, target.currency, param)
    return { coupon, promotion_code: null }
  })
}

/** Redeems: counts a use of the coupon and of the code, and writes a discount on the subscription. */
export function redeem(context: Context, wanted: WantedDiscount, customer: string, subscription: string): Discount {
  const { promotion_code } = wanted
  const coupon = requireRow(context, 'coupons', wanted.coupon.id, 'coupon')
  change(context, 'coupons', coupon, { times_redeemed: coupon.times_redeemed + 1 }, 'coupon.updated')
  if (promotion_code) {
    const patch = { times_redeemed: promotion_code.times_redeemed + 1 }
    change(context, 'promotion_codes', promotion_code, patch, 'promotion_code.updated')
  }
  const discount: Discount = {
    id: newId(context, 'discounts'),
    object: 'discount',
    checkout_session: null,
    customer,
    customer_account: null,
    end: coupon.duration === 'repeating' ? addMonths(context.now, coupon.duration_in_months ?? 1) : null,
    invoice: null,
    invoice_item: null,
    promotion_code: promotion_code?.id ?? null,
    source: { type: 'coupon', coupon: coupon.id },
    start: context.now,
    subscription,
    subscription_item: null,
  }
  return create(context, 'discounts', discount, 'customer.discount.created')
}

/** Removes a discount and emits `customer.discount.deleted`; the row stays readable for the invoices that used it. */
export function endDiscount(context: Context, id: string): Wire<Stripe.DeletedDiscount> | undefined {
  const discount = context.store.get('discounts', id)
  if (discount === undefined) return undefined
  const { end: _end, ...rest } = discount
  const deleted: Wire<Stripe.DeletedDiscount> = { ...rest, deleted: true }
  emit(context, 'customer.discount.deleted', discount)
  return deleted
}

/**
 * The discounts of a subscription after an update. Null clears them; a list replaces them, but a discount stays if the list names it by
 * `discount`.
 */
export function replaceDiscounts(
  context: Context,
  subscription: Pick<Wire<Stripe.Subscription>, 'id' | 'customer' | 'currency' | 'discounts' | 'items'>,
  sent: z.output<typeof updatedDiscountsParam>,
): string[] {
  const subtotal = subtotalOf(subscription.items.data)
  const kept = (sent ?? []).map(({ discount, ...fresh }, index) => {
    const param = `discounts[${index}][discount]`
    if (discount !== undefined && !subscription.discounts.includes(discount))
      throw resourceMissing('discount', discount, param)
    if (discount !== undefined) return discount
    const [wanted] = wantedDiscounts(context, [fresh], { ...subscription, subtotal })
    return wanted === undefined ? '' : redeem(context, wanted, subscription.customer, subscription.id).id
  })
  for (const id of subscription.discounts) if (!kept.includes(id)) endDiscount(context, id)
  return kept
}

/** The members of an invoice line that discounts depend on. */
interface Discountable {
  amount: number
  currency: string
  product: string
}

/** What a coupon takes off each line, in whole minor units; `amount_off` is spent line by line. */
export function amountsOff(coupon: Coupon, lines: Discountable[]): number[] {
  const products = coupon.applies_to?.products
  let left = coupon.amount_off ?? 0
  return lines.map((line) => {
    if (products !== undefined && !products.includes(line.product)) return 0
    if (coupon.percent_off !== null) return Math.round((line.amount * coupon.percent_off) / 100)
    if (coupon.currency !== line.currency) return 0
    const off = Math.min(left, line.amount)
    left -= off
    return off
  })
}
