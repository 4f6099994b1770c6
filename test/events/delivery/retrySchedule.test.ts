import { describe, expect, it } from '@jest/globals'
import { GIVE_UP_AFTER, nextTry } from '../../../lib/events/delivery/retrySchedule.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The waits between the attempts of a delivery that always fails, and when it ended. */
function playUntilEnd(random: number): { waits: number[]; end: number } {
  const waits: number[] = []
  for (let attempts = 1, now = 0; ; attempts += 1) {
    const next = nextTry({ attempts, firstAttemptAt: 0 }, now, random)
    if (next.kind === 'end') return { waits, end: next.at }
    waits.push(next.at - now)
    now = next.at
  }
}

const inTheMiddle = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

describe('The retries of a delivery', () => {
  it('follow after growing waits, until five days after the first attempt', () => {
    expect(playUntilEnd(0.5)).toEqual({ waits: [...inTheMiddle, 24 * HOUR], end: GIVE_UP_AFTER })
  })

  it('wait up to a fifth less or more', () => {
    const { waits } = playUntilEnd(0)
    const daily = (times: number) => Array.from({ length: times }, () => 24 * HOUR)
    expect(waits).toEqual([...inTheMiddle, ...daily(3)].map((wait) => wait * 0.8))
    expect(playUntilEnd(1).waits).toEqual([...inTheMiddle, ...daily(1)].map((wait) => wait * 1.2))
  })
})
