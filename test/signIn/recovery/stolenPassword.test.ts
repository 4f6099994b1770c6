import { describe, expect, it } from '@jest/globals'
import { play, type Story } from './play.ts'
import type { Deed } from './thief.ts'

const plans: Record<string, readonly Deed[]> = {
  'does nothing else': [],
  'changes the password': ['changes the password'],
  'moves the account to another address': ['moves the account to another address'],
}

/** The stories of a plan: in both orders, noticed at once or late, with no organization, one or several. */
function storiesOf(plan: readonly Deed[]): Story[] {
  return (['thief', 'owner'] as const).flatMap((first) =>
    [0, 1, 3, 6].map((noticed, at) => {
      const organizations = ([0, 1, 3] as const)[at % 3] ?? 0
      return { plan, first, noticed, organizations, owns: 'no factor' as const }
    }),
  )
}

describe('A thief with the password', () => {
  // [threat 121]
  it.each(Object.entries(plans))('who %s is out for good once the owner has followed the mails', async (_, plan) => {
    for (const story of storiesOf(plan)) {
      const { ownerBack, thiefAfter, wasRobbed } = await play(story)
      expect({ story, wasRobbed, isBack: (ownerBack ?? 99) <= story.noticed + 7, thiefAfter }).toEqual({
        ...{ story, wasRobbed: true, isBack: true },
        thiefAfter: [],
      })
    }
  })
})
