/** A payment or a card that did not work out, in Stripe's words for customers. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError'
}
