import { describe, expect, it } from '@jest/globals'
import { play, type Story } from './play.ts'
import type { Deed } from './thief.ts'

const plans: Record<string, readonly Deed[]> = {
  'adds a passkey': ['adds a passkey'],
  'adds an app and makes recovery codes': ['adds an app', 'makes recovery codes'],
  'adds a passkey and changes the password': ['adds a passkey', 'changes the password'],
  'moves the account and adds a passkey': ['moves the account to another address', 'adds a passkey'],
  'adds a passkey and moves the account': ['adds a passkey', 'moves the account to another address'],
}

type Telling = Omit<Story, 'plan' | 'first' | 'organizations'>

/** The stories of a plan in both orders, with no organization, one or several. */
async function expectOut(plan: readonly Deed[], tellings: readonly Telling[]): Promise<void> {
  for (const [at, telling] of tellings.entries()) {
    for (const first of ['thief', 'owner'] as const) {
      const organizations = ([0, 1, 3] as const)[at % 3] ?? 0
      const story = { plan, first, organizations, ...telling }
      const { ownerBack, thiefAfter, wasRobbed } = await play(story)
      expect({ story, wasRobbed, isBack: (ownerBack ?? 99) <= story.noticed + 7, thiefAfter }).toEqual({
        ...{ story, wasRobbed: true, isBack: true },
        thiefAfter: [],
      })
    }
  }
}

describe('A thief with the password', () => {
  // [threat 122]
  it.each(Object.entries(plans))('who %s is out for good once the owner has followed the mails', async (_, plan) => {
    const days = [0, 1, 3, 6]
    await expectOut(
      plan,
      days.map((noticed) => ({ noticed, owns: 'no factor' })),
    )
  })

  const inPlace = Object.entries(plans).filter(([, plan]) => !plan.includes('moves the account to another address'))

  // [threat 122]
  it.each(inPlace)('who %s is out for good by the link of the mail alone', async (_, plan) => {
    await expectOut(
      plan,
      [0, 6].map((noticed) => ({ noticed, owns: 'no factor', by: 'undo' })),
    )
  })

  // [threat 122]
  it.each(inPlace)('who %s is out for good by a reset alone, within 14 days', async (_, plan) => {
    await expectOut(
      plan,
      [0, 13].map((noticed) => ({ noticed, owns: 'no factor', by: 'reset' })),
    )
  })

  it.each(Object.entries(plans))('who %s never gets in if the owner has a passkey of a month', async (_, plan) => {
    for (const first of ['thief', 'owner'] as const) {
      for (const organizations of [0, 1, 3] as const) {
        const story: Story = { plan, first, organizations, noticed: 1, owns: 'a passkey' }
        const { ownerBack, thiefAfter, wasRobbed, ownsAll } = await play(story)
        const isBack = (ownerBack ?? 99) <= 2
        expect({ story, wasRobbed, isBack, thiefAfter, ownsAll }).toEqual({
          ...{ story, wasRobbed: false, isBack: true, thiefAfter: [], ownsAll: true },
        })
      }
    }
  })
})
