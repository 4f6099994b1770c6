import { createFollowedClock } from '../adapters/clock/followedClock.ts'
import { systemClock } from '../adapters/clock/systemClock.ts'
import type { Clock } from '../core/clock.ts'
import { environment } from './environment.ts'

const { CLOCK_URL } = environment

/** The one clock of this process, so that a sync is seen everywhere. Follows `CLOCK_URL` where that is set. */
export const clock: Clock = CLOCK_URL === undefined ? systemClock : createFollowedClock(CLOCK_URL)
