import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exploreSchedules } from './exploreSchedules.ts'
import { createStories, type Story } from './operations.ts'
import { type ActName, acts } from './scheduleActs.ts'
import { settings } from './scheduleSettings.ts'

let stories: ReadonlyMap<string, Story> = new Map()
let [pairs, schedules, covered] = [0, 0, 0]
beforeAll(async () => {
  stories = new Map((await createStories()).map((story) => [story.name, story]))
})
afterAll(() => {
  process.stdout.write(
    `schedules: ${pairs} pairs of operations in every order, ${schedules} schedules that differ, ` +
      `${covered} left as played before\n`,
  )
})

describe.each(settings)('In the world of “$story”', ({ story: name, names }) => {
  const both = names.flatMap((first, index) => names.slice(index).map((second): [ActName, ActName] => [first, second]))

  it.each(both)(
    '%s beside %s keeps every rule in every order of their calls',
    async (first, second) => {
      const story = stories.get(name)
      if (!story) throw new Error(`There is no story ${name}`)
      const bounds = { preemptions: Number.POSITIVE_INFINITY, reduced: true }
      const explored = await exploreSchedules(story, [acts[first], acts[second]], bounds)
      schedules += explored.schedules
      covered += explored.covered
      pairs += 1
      expect(explored.finding).toBeNull()
    },
    120_000,
  )
})
