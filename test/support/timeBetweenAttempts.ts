import { createServer } from 'node:http'
import { expect } from '@jest/globals'
import { listenOnLoopback } from '../../infra/listenOnLoopback.ts'

/** The milliseconds from the first to the second attempt of a call to a server that never answers. Aborts the second attempt. */
export async function timeBetweenAttempts(
  call: (endpoint: string, abortSignal: AbortSignal) => Promise<unknown>,
): Promise<number> {
  const arrivals: number[] = []
  const secondAttempt = new AbortController()
  const silent = createServer(() => {
    arrivals.push(Date.now())
    if (arrivals.length === 2) secondAttempt.abort()
  })
  const { url, close } = await listenOnLoopback(silent)
  await expect(call(url, secondAttempt.signal)).rejects.toMatchObject({ name: 'AbortError' })
  await close()
  const [first = 0, second = 0] = arrivals
  return second - first
}
