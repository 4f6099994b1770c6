/** Waits for work that others wait for too, until this signal ends the wait; the work goes on. */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal | null): Promise<Result> {
  if (signal === null) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
