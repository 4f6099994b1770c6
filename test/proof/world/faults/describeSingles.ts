import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inNode } from '../../../support/inNode.ts'
import { type StoriesExplored, storiesExplored } from '../stories/exploreStories.ts'
import { awaitsOf } from './awaitsOf.ts'
import { faultKinds } from './faults.ts'

/**
 * Gives every await of the stories that match every fault, one at a time, healed in a twentieth of the ways in turn, and prints how many
 * runs that were. `npm run test:faults` heals each in every way.
 * @param share 1 for every fault of an await, 3 for each third of them in turn
 */
export function describeSingles(pattern: RegExp, share = 1): void {
  const listedStories = Object.entries(awaitsOf).filter(([name]) => pattern.test(name))
  let explored: StoriesExplored | undefined
  const storyOf = (name: string) => explored?.stories.find((story) => story.name === name)

  beforeAll(async () => {
    explored = await inNode(
      'proof/world/stories/runStories.ts',
      ['singles', pattern.source, String(share)],
      storiesExplored,
    )
  }, 400_000)
  afterAll(() => {
    if (!explored) return
    const awaits = listedStories.flatMap(([, listed]) => listed).length
    process.stdout.write(
      `single faults: ${listedStories.length} operations, ${awaits} awaits, ${faultKinds.length} kinds of fault, ${explored.runs} runs, ` +
        `at most ${explored.mostRepeats} repeats; the other ways to heal${share > 1 ? `, and all but each ${share}th fault` : ''} are left to npm run test:faults; ` +
        `calls reached: ${explored.reached.join(' ')}\n`,
    )
  })

  it('has every operation that is listed', () => {
    expect(explored?.names.toSorted()).toEqual(Object.keys(awaitsOf).toSorted())
  })

  describe.each(listedStories)('%s', (name, listed) => {
    it('has the awaits that are listed, each of which is given its faults, and comes to rest', () => {
      const { awaits, broken, repeats, expectedRepeats } = storyOf(name) ?? {}
      expect(awaits).toEqual(listed)
      expect({ broken, repeats }).toEqual({ broken: [], repeats: expectedRepeats })
    })

    it('keeps every rule whatever single call that is played fails, and comes to rest whenever it is repeated', () => {
      expect(storyOf(name)?.findings).toEqual([])
    })
  })
}
