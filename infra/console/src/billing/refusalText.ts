import type { CheckoutLine } from '../app/types.ts'

type RefusedLine = Extract<CheckoutLine, { ok: false }>

/** The errors for which the API's own sentence does not say what to do. */
const texts: Partial<Record<RefusedLine['error'], string>> = {
  unknown_plan: 'This product is not sold any more.',
  already_subscribed: 'Your organization has this already.',
  checkout_in_progress: 'A purchase of this product is being finished. Try again in a moment.',
  coupon_already_redeemed: 'The coupon works once, and was used. Remove it to buy at the full price.',
  coupon_invalid: 'The coupon is unknown, expired, or not for this product.',
  payment_method_required: 'Choose a card to pay with.',
  payment_method_invalid: 'This card cannot be used any more. Choose another one.',
  billing_details_required: 'Fill in name, email and address under Billing details first.',
  gateway_refused: 'The payment provider refused this purchase. Nothing was charged.',
  gateway_unavailable: 'We do not know yet whether this went through. Try again: you are never charged twice.',
}

/** Why a line was not bought, and what to do. */
export interface Refusal {
  readonly text: string
  /** `neutral` where nothing is wrong: the line is only bought after another one. */
  readonly tone: 'bad' | 'neutral'
}

/**
 * A refused line in a customer's words.
 * @param isCouponUsed another line of the same order has the coupon, which is good for one
 */
export function refusalOf({ error, detail }: Pick<RefusedLine, 'error' | 'detail'>, isCouponUsed: boolean): Refusal {
  if (error === 'coupon_already_redeemed' && isCouponUsed)
    return { text: 'The coupon is for one product. Buy this one next, at the full price.', tone: 'neutral' }
  return { text: texts[error] ?? `${detail}. Nothing was charged.`, tone: 'bad' }
}
