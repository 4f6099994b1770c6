import { describe, expect, it } from '@jest/globals'
import { play, type Story } from './play.ts'
import type { Deed } from './thief.ts'

const plans: Record<string, readonly Deed[]> = {
  'deletes the account': ['deletes the account'],
  'changes the password and deletes the account': ['changes the password', 'deletes the account'],
  'moves the account to another address and deletes it': [
    'moves the account to another address',
    'deletes the account',
  ],
  'adds a passkey and deletes the account, once that is a day old': ['adds a passkey', 'deletes the account'],
}

/** The stories of a plan in both orders, with no organization, one and several. */
async function expectBack(plan: readonly Deed[], told: Pick<Story, 'noticed' | 'by'>, within: number): Promise<void> {
  for (const first of ['thief', 'owner'] as const) {
    for (const organizations of [0, 1, 3] as const) {
      const story: Story = { plan, first, organizations, owns: 'no factor', ...told }
      const { ownerBack, thiefAfter, wasRobbed, ownsAll } = await play(story)
      const isBack = (ownerBack ?? 99) <= told.noticed + within
      expect({ story, wasRobbed, isBack, thiefAfter, ownsAll }).toEqual({
        ...{ story, wasRobbed: true, isBack: true, thiefAfter: [], ownsAll: true },
      })
    }
  }
}

describe('A thief with the password', () => {
  // [threat 127]
  it.each(Object.entries(plans))(
    'who %s is out for good once the owner has kept the account by the mails, with its organizations',
    async (_, plan) => {
      for (const noticed of [0, 1, 6]) await expectBack(plan, { noticed }, 7)
    },
  )

  // [threat 127]
  it('who deletes the account keeps the owner out on no day of the 30 before its erasure', async () => {
    for (const noticed of [10, 20, 29]) await expectBack(['deletes the account'], { noticed }, 2)
  })

  // [threat 127]
  it('who deletes the account is out by a reset of the password alone, whose first mail keeps the account', async () => {
    for (const noticed of [0, 13, 29]) await expectBack(['deletes the account'], { noticed, by: 'reset' }, 2)
  })
})
