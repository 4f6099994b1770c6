import * as z from 'zod/mini'
import type { Clock } from '../../core/clock.ts'
import { CommonError } from '../../core/errors.ts'

const TIMEOUT_MS = 2000

const clockAnswer = z.object({ now: z.number() })

/**
 * The machine's clock plus the offset of another clock, which `sync` corrects if the two show different seconds. Within a second, events
 * keep their order. `sync` throws CommonError `service_unavailable` when the other clock does not answer within 2 s.
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
        const own = Date.now() + offset
        if (Math.floor(own / 1000) !== now) offset += now * 1000 - own
      } catch (cause) {
        throw new CommonError('service_unavailable', { message: 'the followed clock is unavailable', cause })
      }
    },
  }
}
