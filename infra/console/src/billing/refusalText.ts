import type { CheckoutLine } from '../app/types.ts'
import type { Texts } from '../texts/en.ts'

type RefusedLine = Extract<CheckoutLine, { ok: false }>

/** A line that was not bought. */
export interface Refusal extends Pick<RefusedLine, 'error' | 'detail'> {
  /** Another line of the same order has the coupon, which works only once. */
  readonly isCouponUsed: boolean
}

/**
 * The reason why a line was not bought, and the next step, in a customer's words. `neutral` if nothing is wrong: it is
 * only bought after another line.
 */
export function refusalText(
  { error, detail, isCouponUsed }: Refusal,
  { orders }: Pick<Texts, 'orders'>,
): { readonly text: string; readonly tone: 'bad' | 'neutral' } {
  if (error === 'coupon_already_redeemed' && isCouponUsed) return { text: orders.couponUsedByAnother, tone: 'neutral' }
  if (error === 'card_declined') return { text: orders.declined(detail), tone: 'bad' }
  // A newer API may have an error that is not known here.
  const known: Partial<Record<string, string>> = orders.refusals
  return { text: known[error] ?? orders.notBought, tone: 'bad' }
}
