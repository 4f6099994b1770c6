import * as z from 'zod/mini'
import type { SignedCall } from './signedCall.ts'

/** How long a call is repeated while AWS throttles it, fails or cannot be reached. */
const PATIENCE_MS = 60_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8000

/** As `AbortSignal.timeout` ends a call; a `DOMException`. */
const timedOut = z.object({ name: z.literal('TimeoutError') })
const awsError = z.object({ __type: z.string() })

interface UntilAnsweredDeps {
  readonly call: SignedCall
  readonly pause: (milliseconds: number) => Promise<unknown>
  readonly elapsed: () => number
}

/**
 * Repeats each call for a minute while AWS throttles it, answers 5xx or cannot be reached, with a random pause that grows, because the checks of
 * many functions begin at once. Each call may be repeated: the check of a version changes nothing, and CodeDeploy keeps a result once. A call that
 * waits in vain for its answer is not repeated, nor is Lambda's 429: it says that the version has no room, for which the check itself waits.
 */
export function untilAnswered({ call, pause, elapsed }: UntilAnsweredDeps): SignedCall {
  return async (asked) => {
    const began = elapsed()
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await call(asked).catch((error: unknown) => {
        if (timedOut.safeParse(error).success) throw error
        return { unreached: error }
      })
      const isAnswered = !('unreached' in outcome) && !(await isTemporary(outcome, asked.service))
      if (isAnswered) return outcome
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
      const milliseconds = longest / 2 + (Math.random() * longest) / 2
      if (elapsed() - began + milliseconds > PATIENCE_MS) {
        if ('unreached' in outcome) throw outcome.unreached
        return outcome
      }
      await pause(milliseconds)
    }
  }
}

/** CodeDeploy throttles with 400 and the exception's name (AWS, Common errors: ThrottlingException). */
async function isTemporary(response: Response, service: string): Promise<boolean> {
  if (response.status >= 500) return true
  if (service === 'lambda') return false
  if (response.status === 429) return true
  if (response.status !== 400) return false
  const { data } = awsError.safeParse(
    await response
      .clone()
      .json()
      .catch(() => undefined),
  )
  return data !== undefined && /Throttl|TooManyRequests|RequestLimitExceeded/.test(data.__type)
}
