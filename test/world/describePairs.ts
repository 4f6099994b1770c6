import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { explorePairs, nothingExplored, tell } from './exploreFaults.ts'
import { playStory } from './faultRun.ts'
import { createStories, type Story } from './operations.ts'

/** Explores every pair of faults of these stories, one test each, and prints how many runs that were. */
export function describePairs(names: readonly string[]): void {
  const explored = nothingExplored()
  let stories: readonly Story[] = []
  beforeAll(async () => {
    stories = await createStories()
  })
  afterAll(() => {
    const counts = `${names.length} operations, ${explored.runs} runs, at most ${explored.mostRepeats} repeats`
    process.stdout.write(`pairs of faults (${names.join(', ')}): ${counts}\n`)
  })

  describe.each(names)('%s', (name) => {
    it('keeps every rule whatever two calls fail, those of its repeats and webhooks included', async () => {
      const story = stories.find((candidate) => candidate.name === name)
      if (!story) throw new Error(`There is no story ${name}`)
      const { firstAwaits } = await playStory(story, [], { gap: '+1 min', webhooks: 'after' })
      await explorePairs(story, firstAwaits, explored)
      expect([...explored.findings.values()].filter((finding) => finding.story === name).map(tell)).toEqual([])
    }, 240_000)
  })
}
