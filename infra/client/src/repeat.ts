import pRetry from 'p-retry'
import { ApiError, ConnectionError } from './errors.ts'

interface RepeatOptions {
  /** Whether the request does its work once, however often it is sent. */
  readonly isRepeatable: boolean
  /** Ends the waits too. */
  readonly signal?: AbortSignal | null
}

const tries = 4
const withinMs = 30_000
const firstWaitMs = 500

/**
 * Repeats a request when that is safe and may help: at a 429 (nothing was done), and, if the request is repeatable, at a 503 or without an
 * answer. Tries at most 4 times in 30 s, after growing random waits, never shorter than `Retry-After`.
 * @throws the error of the last try
 */
export function repeat<Answer>(send: () => Promise<Answer>, { isRepeatable, signal }: RepeatOptions): Promise<Answer> {
  const end = performance.now() + withinMs
  return pRetry(send, {
    retries: tries - 1,
    // The waits are below: p-retry knows of no Retry-After.
    minTimeout: 0,
    ...(signal && { signal }),
    async shouldRetry({ error, retriesConsumed }) {
      if (!helps(error, isRepeatable)) return false
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      const wait = asked + Math.random() * firstWaitMs * 2 ** retriesConsumed
      if (performance.now() + wait > end) return false
      await elapse(wait, signal)
      return true
    },
  })
}

function helps(error: Error, isRepeatable: boolean): boolean {
  if (error instanceof ApiError) return error.status === 429 || (error.status === 503 && isRepeatable)
  return error instanceof ConnectionError && isRepeatable
}

/** Resolves after this time, and at once when the signal says so: the caller looks at it. */
function elapse(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
