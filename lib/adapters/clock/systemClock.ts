import type { Clock } from '../../core/clock.ts'

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sync: async () => {},
}
