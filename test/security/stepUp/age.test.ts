import { describe, expect, it } from '@jest/globals'
import { secondsSince } from '../../../lib/core/authentication.ts'

const second = 1_800_000_000_000

describe('The age of a sign-in', () => {
  it.each([
    [0, 0],
    [600_000, 600],
    [600_999, 600],
    [601_000, 601],
    [-5_000, -5],
  ])('%i ms after its second is %i s', (later, seconds) => {
    expect(secondsSince({ at: second }, second + later)).toBe(seconds)
  })

  it('is the same by its session, which knows milliseconds, as by its tokens, which know seconds', () => {
    for (const later of [999, 600_000, 600_500, 600_999, 601_000, 601_998]) {
      expect(secondsSince({ at: second + 999 }, second + later)).toBe(secondsSince({ at: second }, second + later))
    }
  })
})
