import { createFollowedClock } from '../adapters/clock/followedClock.ts'
import { systemClock } from '../adapters/clock/systemClock.ts'
import type { Clock } from '../core/clock.ts'
import { environment } from './environment.ts'

const { CLOCK_URL } = environment

/** Shared by the whole process, so that every reader sees a sync. Follows `CLOCK_URL` if it is set. */
export const clock: Clock = CLOCK_URL === undefined ? systemClock : createFollowedClock(CLOCK_URL)
