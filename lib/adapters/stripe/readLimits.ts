import type { Clock } from '../../core/clock.ts'
import type { WireLimits } from './wireCall.ts'

/** Limits of reads that belong together: each ends with the time that all of them have. */
export function readLimits(clock: Clock, answerBy: number | undefined): WireLimits {
  if (answerBy === undefined) return {}
  return { mayStart: () => clock.now() < answerBy, abortAfter: answerBy - clock.now() }
}
