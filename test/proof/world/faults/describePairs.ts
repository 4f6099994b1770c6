import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { inNode } from '../../../support/inNode.ts'
import { type StoriesExplored, storiesExplored } from '../stories/exploreStories.ts'

/** Explores a share of the pairs of faults of these stories, one test each, and prints what it leaves to `npm run test:pairs`. */
export function describePairs(names: readonly string[]): void {
  let explored: StoriesExplored | undefined
  beforeAll(async () => {
    explored = await inNode('proof/world/stories/runStories.ts', ['pairs', `^(${names.join('|')})$`], storiesExplored)
  }, 400_000)
  afterAll(() => {
    if (!explored) return
    const { runs, mostRepeats, firsts, played } = explored
    const counts = `${names.length} operations, ${runs} runs, at most ${mostRepeats} repeats`
    const left = `${firsts - played} of ${firsts} first faults are left to npm run test:pairs`
    process.stdout.write(`pairs of faults (${names.join(', ')}): ${counts}; ${left}\n`)
  })

  it.each(names)('%s keeps every rule where two calls fail, those of its repeats and webhooks included', (name) => {
    expect(explored?.stories.find((story) => story.name === name)?.findings).toEqual([])
  })
}
