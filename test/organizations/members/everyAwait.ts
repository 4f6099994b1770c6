import { expect } from '@jest/globals'
import type { BillingStack } from '../../support/billingStack.ts'

/** What may happen to a call: one attempt that the SDK repeats, every attempt of one call, and every call from then on. */
export const troubles = [
  { kind: 'drop_before', times: 3 },
  { kind: 'drop_after', times: 1 },
  { kind: 'drop_after', times: 3 },
  { kind: 'error', times: 99 },
] as const

export interface Story {
  readonly organizationId: string
  /** The request, which is the same each time. */
  readonly send: () => Promise<{ readonly status: number }>
  /** The statuses of its repetition, done before or not. */
  readonly done: readonly number[]
  /** The action that its audit entry has. */
  readonly action: string
  /** How many entries there are at least and at most. */
  readonly entries: readonly [number, number]
}

/** Expects a story to be sound with this trouble at any of its calls to the database, and to finish once it is repeated. */
export async function expectFinished(
  stack: BillingStack,
  trouble: (typeof troubles)[number],
  play: { begin: () => Promise<Story>; expectSound: (story: Story) => Promise<void>; leastCalls: number },
): Promise<void> {
  const { begin, expectSound, leastCalls } = play
  const { dynamoDb, emulator } = stack
  const plain = await begin()
  dynamoDb.reset()
  expect((await plain.send()).status).toBeLessThan(300)
  const calls = dynamoDb.calls().length
  expect(calls).toBeGreaterThanOrEqual(leastCalls)
  for (let after = 0; after < calls; after += 1) {
    await emulator.advance(61)
    const story = await begin()
    dynamoDb.reset()
    dynamoDb.fail({ ...trouble, after })
    const { status } = await story.send()
    dynamoDb.reset()
    expect([after, [...story.done, 503].includes(status)]).toEqual([after, true])
    await expectSound(story)
    await emulator.advance(61)
    expect(story.done).toContain((await story.send()).status)
    await expectSound(story)
    const entries = await stack.auditEntries(story.organizationId)
    const written = entries.filter(({ action }) => action === story.action).length
    expect(written).toBeGreaterThanOrEqual(story.entries[0])
    expect(written).toBeLessThanOrEqual(story.entries[1])
  }
}
