import { ConnectionError, isApiError } from '../../../client/src/index.ts'
import { PaymentError } from '../billing/cards/paymentError.ts'
import type { Texts } from '../texts/en.ts'

/** A failure in a customer's words, with the request's id for support. */
export interface Problem {
  readonly text: string
  readonly requestId?: string
}

/** The text to show for a thrown error. */
export function problemOf(error: unknown, { problems }: Pick<Texts, 'problems'>): Problem {
  if (error instanceof PaymentError) return { text: paymentProblem(error, { problems }) }
  if (error instanceof ConnectionError) return { text: problems.offline }
  if (!isApiError(error)) return { text: problems.page }
  const { code, requestId, stepUp } = error
  // A newer API may have a code that is not known here.
  const known: Partial<Record<string, string>> = problems.codes
  return {
    text: stepUp === undefined ? (known[code] ?? problems.refused) : problems.stepUp,
    ...(requestId !== undefined && { requestId }),
  }
}

/** The text to show if a payment failed. */
export function paymentProblem({ problem, sentence }: PaymentError, { problems }: Pick<Texts, 'problems'>): string {
  return sentence ?? problems.payment[problem]
}
