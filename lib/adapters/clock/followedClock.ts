import * as z from 'zod'
import type { Clock } from '../../core/clock.ts'
import { CommonError } from '../../core/errors.ts'

const TIMEOUT_MS = 2000

/** The other clock's resolution: less than that is no difference, and what happens within a second keeps its order. */
const RESOLUTION_MS = 1000

const clockAnswer = z.object({ now: z.number() })

/**
 * The machine's clock plus the offset of another clock, which `sync` corrects where it is a second or more.
 * `sync` throws CommonError `service_unavailable` when the other clock does not answer within 2 s.
 * @param url answers a GET with `{"now": unix seconds}`
 */
export function createFollowedClock(url: string): Clock {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    async sync() {
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
        if (!answer.ok) throw new Error(`status ${answer.status}`)
        const { now } = clockAnswer.parse(await answer.json())
        const difference = now * 1000 - (Date.now() + offset)
        if (Math.abs(difference) >= RESOLUTION_MS) offset += difference
      } catch (cause) {
        throw new CommonError('service_unavailable', { message: 'the followed clock is unavailable', cause })
      }
    },
  }
}
