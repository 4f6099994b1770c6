/** The failure, if Stripe has no sentence for it. */
export type PaymentProblem = 'form_loading' | 'form_failed' | 'form_offline' | 'set_up_failed' | 'not_confirmed'

/** A payment or a card that did not work out. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly problem: PaymentProblem
  /** Stripe's words for the customer, in the language that Stripe.js speaks. */
  readonly sentence: string | undefined

  constructor(problem: PaymentProblem, sentence?: string) {
    super(sentence ?? problem)
    this.problem = problem
    this.sentence = sentence
  }
}
