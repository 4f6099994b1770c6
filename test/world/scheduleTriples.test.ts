import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { exploreSchedules } from './exploreSchedules.ts'
import { createStories, type Story } from './operations.ts'
import { type ActName, acts } from './scheduleActs.ts'
import { settings } from './scheduleSettings.ts'

const PREEMPTIONS = 2

let stories: ReadonlyMap<string, Story> = new Map()
let [triples, schedules, covered] = [0, 0, 0]
beforeAll(async () => {
  stories = new Map((await createStories()).map((story) => [story.name, story]))
})
afterAll(() => {
  process.stdout.write(
    `schedules: ${triples} triples of operations, at most ${PREEMPTIONS} preemptions, ${schedules} schedules that differ, ` +
      `${covered} left as played before\n`,
  )
})

describe.each(settings)('In the world of “$story”', ({ story: name, three }) => {
  const all = three.flatMap((first, index) =>
    three
      .slice(index)
      .flatMap((second, offset) =>
        three.slice(index + offset).map((third): [ActName, ActName, ActName] => [first, second, third]),
      ),
  )

  it.each(all)(
    '%s, %s and %s keep every rule in every order of their calls with at most two preemptions',
    async (...names) => {
      const story = stories.get(name)
      if (!story) throw new Error(`There is no story ${name}`)
      const bounds = { preemptions: PREEMPTIONS, reduced: true }
      const explored = await exploreSchedules(
        story,
        names.map((act) => acts[act]),
        bounds,
      )
      schedules += explored.schedules
      covered += explored.covered
      triples += 1
      expect(explored.finding).toBeNull()
    },
    120_000,
  )
})
