import { describe, expect, it } from '@jest/globals'
import { play, type Story } from './play.ts'
import type { Deed } from './thief.ts'

const plans: Record<string, readonly Deed[]> = {
  'does nothing else': [],
  'changes the password': ['changes the password'],
  'moves the account to another address': ['moves the account to another address'],
}

/** Every story of a plan: in both orders, noticed at once or late, with and without organizations. */
function storiesOf(plan: readonly Deed[]): Story[] {
  return (['thief', 'owner'] as const).flatMap((first) =>
    [0, 1, 3, 6].flatMap((noticed) =>
      ([0, 1, 3] as const).map((organizations) => ({
        plan,
        first,
        noticed,
        organizations,
        owns: 'no factor' as const,
      })),
    ),
  )
}

describe('A thief with the password', () => {
  it.each(Object.entries(plans))('who %s is out for good once the owner has read the mails', async (_, plan) => {
    for (const story of storiesOf(plan)) {
      const { ownerBack, thiefAfter, wasRobbed } = await play(story)
      expect({ story, wasRobbed, isBack: (ownerBack ?? 99) <= story.noticed + 7, thiefAfter }).toEqual({
        ...{ story, wasRobbed: true, isBack: true },
        thiefAfter: [],
      })
    }
  })
})
