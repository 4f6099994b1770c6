import { CommonError } from '../../core/errors.ts'

/**
 * Runs at most `running` operations at the same time; as many as `waiting` wait in the order of their calls.
 * @throws CommonError `service_unavailable`, at once, if as many are waiting already
 */
export function limitConcurrency({ running: most, waiting: queue }: { running: number; waiting: number }) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (running < most) running += 1
    else if (waiting.length < queue) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw new CommonError('service_unavailable', { message: 'too many passwords at once' })
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
