import { describe, it } from '@jest/globals'
import { expectBack, stories, thieves } from './lostFactorStories.ts'

describe('An owner with the mailbox who has lost every second factor, or is asked for a thief’s', () => {
  it.each(thieves)(
    'is back within 7 days, in any order, with any organizations, and the thief is out from then on: %s',
    (thief) => expectBack(stories.filter((story) => story.thief === thief)),
    120_000,
  )
})
