/** A verified domain is checked again after so many milliseconds. */
export const CHECK_AFTER = 7 * 24 * 60 * 60_000

/** So many checks in a row without the record end the verification. */
export const MAX_FAILURES = 3

/** Name servers that did not answer are asked again after so many milliseconds. */
const ASK_AGAIN_AFTER = 24 * 60 * 60_000

/** What the name servers said of a proof. */
export type ProofAnswer = 'proven' | 'absent' | 'no_answer'

/** What earlier checks found: how many in a row had no record, and since when the name servers do not answer, in Unix milliseconds. */
export interface CheckHistory {
  readonly failures: number
  readonly unansweredSince?: number | undefined
}

/** When a domain is checked next, in Unix milliseconds, and what that check has to know. */
export interface NextCheck extends CheckHistory {
  readonly checkAt: number
}

/** `lostAt`: when the domain is lost if the record stays away. */
export type CheckDecision =
  | { readonly kind: 'proven' | 'unanswered'; readonly next: NextCheck }
  | { readonly kind: 'missing'; readonly next: NextCheck; readonly lostAt: number }
  | { readonly kind: 'lost' }

/**
 * Decides what a check of a verified domain means. No answer is not a missing record: it is asked for each day, and counts as missing once the name
 * servers were silent for a week.
 * @param now Unix milliseconds
 */
export function decideCheck(
  { failures: before, unansweredSince }: CheckHistory,
  answer: ProofAnswer,
  now: number,
): CheckDecision {
  if (answer === 'proven') return { kind: 'proven', next: { checkAt: now + CHECK_AFTER, failures: 0 } }
  const since = unansweredSince ?? now
  if (answer === 'no_answer' && now - since < CHECK_AFTER) {
    const next = { checkAt: now + ASK_AGAIN_AFTER, failures: before, unansweredSince: since }
    return { kind: 'unanswered', next }
  }
  const failures = before + 1
  if (failures >= MAX_FAILURES) return { kind: 'lost' }
  const next = { checkAt: now + CHECK_AFTER, failures }
  return { kind: 'missing', next, lostAt: now + (MAX_FAILURES - failures) * CHECK_AFTER }
}
