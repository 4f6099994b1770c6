import { describe, expect, it } from '@jest/globals'
import { explore, type Model } from './explore.ts'

/** Counts up by 1 or 2, up to 6; `forbidden` is a violation. */
function counter(forbidden: number): Model<number> {
  return {
    initial: 0,
    key: String,
    next(state, visit) {
      if (state < 6) visit('+1', state + 1)
      if (state < 5) visit('+2', state + 2)
    },
    violation: (state) => (state === forbidden ? `reached ${forbidden}` : undefined),
  }
}

describe('The explorer', () => {
  it('visits every state once and counts every transition', () => {
    const counts = { states: 7, transitions: 11, depth: 3 }
    expect(explore(counter(7))).toEqual({ ...counts, complete: true, violation: undefined })
  })

  it('ends at the first violation, by a shortest trace', () => {
    expect(explore(counter(5))).toMatchObject({
      complete: false,
      violation: { kind: 'reached 5', trace: ['+1', '+2', '+2'] },
    })
  })

  it('says so where its limit ended it early', () => {
    expect(explore(counter(7), 3)).toMatchObject({ states: 3, complete: false, violation: undefined })
  })
})
