import type { HandName } from '../../commands/dashboard.ts'
import type { Choose, Ending } from '../orders/gate.ts'
import type { Story } from '../stories/story.ts'
import type { World } from '../world.ts'
import type { Act } from './scheduleActs.ts'
import { type Played, playSchedule } from './schedulePlay.ts'
import { type Bounds, Covered, searchSchedules } from './scheduleSearch.ts'

/** What an exploration of schedules came to. */
export interface Scheduled {
  /** Schedules played to their end. */
  schedules: number
  /** Schedules left on the way, because every way on had been played. */
  covered: number
  /** The first schedule that broke a rule: what broke, and every step. */
  finding: Played | null
}

const SECOND = 1000

/**
 * Plays acts side by side in every order of their port calls within the bounds.
 * @param look is shown the world at the end of every schedule, before it is healed
 * @throws where a schedule takes a second, for then two orders of calls that commute could differ
 */
export async function exploreSchedules(
  story: Story,
  acts: readonly Act[],
  bounds: Bounds & { hand?: HandName | undefined },
  look?: (world: World, endings: readonly Ending<unknown>[]) => void,
): Promise<Scheduled> {
  const scheduled: Scheduled = { schedules: 0, covered: 0, finding: null }
  await searchSchedules(bounds, async (choose) => {
    try {
      const played = await playSchedule({
        story,
        acts,
        choose: (world) => inTime(world, choose),
        ...(bounds.hand && { hand: bounds.hand }),
        ...(look && { look }),
      })
      scheduled.schedules += 1
      if (played.broken.length > 0) scheduled.finding ??= played
      return true
    } catch (error) {
      if (!(error instanceof Covered)) throw error
      scheduled.covered += 1
      return false
    }
  })
  return scheduled
}

function inTime({ clock }: World, choose: Choose): Choose {
  const ends = clock.now() + SECOND
  return (ready) => {
    if (clock.now() >= ends) throw new Error('The schedule takes longer than a second')
    return choose(ready)
  }
}
