import { useCallback, useRef, useState } from 'react'

/** A request that a person starts: one at a time, with its failure shown at the same place. */
export interface Action {
  readonly running: boolean
  readonly error: unknown
  /** Starts it, unless it runs already. Resolves with whether it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>
  /** Forgets the failure. */
  reset(): void
}

/** @see Action */
export function useAction(): Action {
  const [running, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  // The state of a render may be older than a second click.
  const busy = useRef(false)

  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (busy.current) return false
    busy.current = true
    setRunning(true)
    setError(undefined)
    try {
      await work()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      busy.current = false
      setRunning(false)
    }
  }, [])
  const reset = useCallback(() => setError(undefined), [])
  return { running, error, run, reset }
}
