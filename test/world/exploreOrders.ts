import * as z from 'zod'
import { createStories } from './createStories.ts'
import { exploreSchedules } from './exploreSchedules.ts'
import { type ActName, acts } from './scheduleActs.ts'
import { settings } from './scheduleSettings.ts'

/** What came of one group of acts, side by side in the world of a story. */
export const ordersExplored = z.array(
  z.object({
    story: z.string(),
    acts: z.array(z.string()),
    schedules: z.number(),
    covered: z.number(),
    finding: z.unknown(),
  }),
)
export type OrdersExplored = z.infer<typeof ordersExplored>

export interface Together {
  story: string
  acts: readonly ActName[]
}

/**
 * Every two acts of every setting, or every three: an act beside itself included.
 * @param every 1 for all of these groups, 3 for each third of them
 */
export function groupsOf(size: 2 | 3, every = 1): Together[] {
  const groups = settings.flatMap(({ story, names, three }) =>
    combinations(size === 2 ? names : three, size).map((group) => ({ story, acts: group })),
  )
  return groups.filter((_, index) => index % every === 0)
}

function combinations(names: readonly ActName[], size: number): ActName[][] {
  if (size === 0) return [[]]
  return names.flatMap((first, index) => combinations(names.slice(index), size - 1).map((rest) => [first, ...rest]))
}

/**
 * Acts side by side, in every order of their calls within the bound.
 * @param preemptions how often at most an act is interrupted by another one
 */
export async function exploreOrders(size: 2 | 3, preemptions: number, every = 1): Promise<OrdersExplored> {
  const stories = new Map((await createStories()).map((story) => [story.name, story]))
  const bounds = { preemptions, reduced: true }
  const explored: OrdersExplored = []
  for (const group of groupsOf(size, every)) {
    const story = stories.get(group.story)
    if (!story) throw new Error(`There is no story ${group.story}`)
    const found = await exploreSchedules(
      story,
      group.acts.map((act) => acts[act]),
      bounds,
    )
    explored.push({ ...group, acts: [...group.acts], ...found })
  }
  return explored
}
