import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { inNode } from '../support/inNode.ts'
import { type StoriesExplored, storiesExplored } from './exploreStories.ts'

/** Explores every pair of faults of these stories, one test each, and prints how many runs that were. */
export function describePairs(names: readonly string[]): void {
  let explored: StoriesExplored | undefined
  beforeAll(async () => {
    explored = await inNode('world/runStories.ts', ['pairs', `^(${names.join('|')})$`], storiesExplored)
  }, 400_000)
  afterAll(() => {
    const counts = `${names.length} operations, ${explored?.runs} runs, at most ${explored?.mostRepeats} repeats`
    process.stdout.write(`pairs of faults (${names.join(', ')}): ${counts}\n`)
  })

  it.each(names)('%s keeps every rule whatever two calls fail, those of its repeats and webhooks included', (name) => {
    expect(explored?.stories.find((story) => story.name === name)?.findings).toEqual([])
  })
}
