import type { CheckoutLine } from '../app/types.ts'
import type { PaymentError } from './cards/paymentError.ts'
import type { Refusal } from './refusalText.ts'

/** The result of a line that was sent to checkout. */
export type LineAnswer =
  | { readonly kind: 'bought' }
  | { readonly kind: 'confirming' }
  | { readonly kind: 'unconfirmed'; readonly error: PaymentError }
  | ({ readonly kind: 'refused' } & Refusal)

export interface CartLine {
  /** The plan code. */
  readonly code: string
  readonly answer?: LineAnswer
}

/** The lines to buy, in the order in which they were added, with their results. */
export interface Cart {
  readonly lines: readonly CartLine[]
  readonly coupon?: string
}

export type CartEvent =
  | { readonly type: 'added'; readonly code: string }
  | { readonly type: 'removed'; readonly code: string }
  | { readonly type: 'coupon'; readonly coupon: string | undefined }
  | { readonly type: 'answered'; readonly lines: readonly CheckoutLine[] }
  | { readonly type: 'settled'; readonly code: string; readonly answer: LineAnswer }
  | { readonly type: 'cleared' }

export const emptyCart: Cart = { lines: [] }

/** The codes of the lines that are still to be bought. */
export function codesToBuy({ lines }: Cart): string[] {
  return lines.filter(isOpen).map(({ code }) => code)
}

/** Whether a line is still to be bought: it was not sent yet, or was refused. */
function isOpen({ answer }: CartLine): boolean {
  return answer === undefined || answer.kind === 'refused'
}

/** The cart after an event. Bought lines leave it when the user next changes it. */
export function changeCart(cart: Cart, event: CartEvent): Cart {
  switch (event.type) {
    case 'added': {
      const lines = cart.lines.filter((line) => isOpen(line) && line.code !== event.code)
      return { ...cart, lines: [...lines, { code: event.code }] }
    }
    case 'removed':
      return { ...cart, lines: cart.lines.filter((line) => isOpen(line) && line.code !== event.code) }
    case 'coupon':
      return withCoupon({ lines: cart.lines.filter(isOpen) }, event.coupon)
    case 'answered':
      return afterAnswer(cart, event.lines)
    case 'settled':
      return {
        ...cart,
        lines: cart.lines.map((line) => (line.code === event.code ? { ...line, answer: event.answer } : line)),
      }
    case 'cleared':
      return withCoupon({ lines: cart.lines.filter(isOpen) }, cart.coupon)
  }
}

/** A coupon that a bought line has used cannot be used again. */
function afterAnswer(cart: Cart, answers: readonly CheckoutLine[]): Cart {
  const used = answers.some((line) => line.ok && line.subscription.coupon_code !== null)
  const lines = cart.lines.map((line) => {
    const answer = answers.find(({ product_code }) => product_code === line.code)
    return answer === undefined ? line : { ...line, answer: answerOf(answer, used) }
  })
  return withCoupon({ lines }, used ? undefined : cart.coupon)
}

function answerOf(line: CheckoutLine, isCouponUsed: boolean): LineAnswer {
  if (!line.ok) return { kind: 'refused', error: line.error, detail: line.detail, isCouponUsed }
  return { kind: line.client.action === 'confirm_payment' ? 'confirming' : 'bought' }
}

function withCoupon(cart: Omit<Cart, 'coupon'>, coupon: string | undefined): Cart {
  return coupon === undefined ? cart : { ...cart, coupon }
}
