import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { awaitsOf } from './awaits.ts'
import { exploreSingles, nothingExplored, tell } from './exploreFaults.ts'
import { playStory } from './faultRun.ts'
import { faultKinds } from './faults.ts'
import { createStories, type Story } from './operations.ts'

/** Gives every await of the stories that are chosen every fault, one at a time, and prints how many runs that were. */
export function describeSingles(chosen: (name: string) => boolean): void {
  const told = Object.entries(awaitsOf).filter(([name]) => chosen(name))
  const explored = nothingExplored()
  let stories: readonly Story[] = []
  beforeAll(async () => {
    stories = await createStories()
  })
  afterAll(() => {
    const awaits = told.flatMap(([, listed]) => listed).length
    process.stdout.write(
      `single faults: ${told.length} operations, ${awaits} awaits, ${faultKinds.length} kinds of fault, ${explored.runs} runs, ` +
        `at most ${explored.mostRepeats} repeats; calls reached: ${[...explored.reached].toSorted().join(' ')}\n`,
    )
  })

  function storyOf(name: string): Story {
    const story = stories.find((candidate) => candidate.name === name)
    if (!story) throw new Error(`There is no story ${name}`)
    return story
  }

  it('tells every operation that is listed', () => {
    expect(stories.map(({ name }) => name)).toEqual(Object.keys(awaitsOf))
  })

  describe.each(told)('%s', (name, listed) => {
    let awaits: readonly string[] = []

    it('has the awaits that are listed, each of which is given its faults, and comes to rest', async () => {
      const story = storyOf(name)
      const { firstAwaits, broken, repeats } = await playStory(story, [], { gap: '+1 min', webhooks: 'after' })
      awaits = firstAwaits
      expect(firstAwaits.map((at) => at.replace(/^\d+\//, ''))).toEqual(listed)
      expect({ broken, repeats }).toEqual({ broken: [], repeats: story.repeats })
    })

    it('keeps every rule whatever single call fails, and comes to rest whenever it is repeated', async () => {
      expect(awaits.length).toBe(listed.length)
      await exploreSingles(storyOf(name), awaits, explored)
      expect([...explored.findings.values()].filter(({ story }) => story === name).map(tell)).toEqual([])
    }, 240_000)
  })
}
