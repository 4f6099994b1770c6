import type { Closable } from '../../infra/local/resourceScope.ts'

/**
 * Answers this test file's GET requests of a clock in this process: the functions ask at each of their requests. They go out again once it
 * is closed.
 * @param url as in `CLOCK_URL`
 * @param now Unix seconds
 */
export function answerClock(url: string, now: () => number): Closable {
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) =>
    input === url && (init?.method ?? 'GET') === 'GET' ? Response.json({ now: now() }) : fetch(input, init)
  return {
    async close() {
      globalThis.fetch = fetch
    },
  }
}
