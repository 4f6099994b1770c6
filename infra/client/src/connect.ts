import { ConnectionError } from './errors.ts'

export type Fetch = typeof globalThis.fetch

/** Longer than the API works at anything. */
const patienceMs = 35_000

/**
 * `fetch` that throws a `ConnectionError` if no complete answer with its body arrives within 35 s.
 * @throws the signal's reason, when the caller aborts
 */
export function connectWith(fetch: Fetch): Fetch {
  return async (input, init) => {
    const patience = AbortSignal.timeout(patienceMs)
    const signal = init?.signal ? AbortSignal.any([init.signal, patience]) : patience
    try {
      const response = await fetch(input, { ...init, signal })
      const body = await response.arrayBuffer()
      return new Response(body.byteLength === 0 ? null : body, response)
    } catch (cause) {
      init?.signal?.throwIfAborted()
      throw new ConnectionError('The API could not be reached', { cause })
    }
  }
}
