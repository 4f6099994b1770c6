import * as z from 'zod'
import { type HandName, handNames } from '../../commands/dashboard.ts'
import { exploreSchedules } from '../schedules/exploreSchedules.ts'
import { type ActName, acts } from '../schedules/scheduleActs.ts'
import { type Setting, settings, settingsByHand, settingsByInvoice } from '../schedules/scheduleSettings.ts'
import { createStories } from '../stories/createStories.ts'

/** What came of one group of acts, side by side in the world of a story. */
export const ordersExplored = z.array(
  z.object({
    story: z.string(),
    acts: z.array(z.string()),
    hand: z.string().optional(),
    schedules: z.number(),
    covered: z.number(),
    finding: z.unknown(),
  }),
)
export type OrdersExplored = z.infer<typeof ordersExplored>

export interface Together {
  story: string
  acts: readonly ActName[]
  /** What a person does beside them. */
  hand?: HandName
}

/**
 * Every two acts of every setting, or every three: an act beside itself included.
 * @param every 1 for all of these groups, 3 for each third of them
 */
export function groupsOf(size: 2 | 3, every = 1, all: readonly Setting[] = settings): Together[] {
  const groups = all.flatMap(({ story, names, three }) =>
    combinations(size === 2 ? names : three, size).map((group) => ({ story, acts: group })),
  )
  return groups.filter((_, index) => index % every === 0)
}

/**
 * The same of the organization that is sent invoices.
 * @param every as for `groupsOf`
 */
export function groupsByInvoice(size: 2 | 3, every = 1): Together[] {
  return groupsOf(size, every, settingsByInvoice)
}

/**
 * Everything that a person may do, beside every operation.
 * @param every 1 for all of these groups, 7 for each seventh of them
 */
export function groupsByHand(every = 1): Together[] {
  const groups = settingsByHand.flatMap(({ story, names }) =>
    names.flatMap((act) => handNames.map((hand) => ({ story, acts: [act], hand }))),
  )
  return groups.filter((_, index) => index % every === 0)
}

/** A purchase at the prices that its buyer was shown, beside their change. */
export function groupsByPrice(): Together[] {
  return groupsByHand().filter(({ acts, hand }) => acts.some((act) => act.includes('shown')) && hand?.includes('price'))
}

function combinations(names: readonly ActName[], size: number): ActName[][] {
  if (size === 0) return [[]]
  return names.flatMap((first, index) => combinations(names.slice(index), size - 1).map((rest) => [first, ...rest]))
}

/**
 * Groups side by side, in every order of their calls within the bound.
 * @param preemptions how often at most an act is interrupted by another one
 */
export async function exploreOrders(groups: readonly Together[], preemptions: number): Promise<OrdersExplored> {
  const isPlayed = (name: string) => groups.some(({ story }) => story === name)
  const stories = new Map((await createStories(isPlayed)).map((story) => [story.name, story]))
  const explored: OrdersExplored = []
  for (const group of groups) {
    const story = stories.get(group.story)
    if (!story) throw new Error(`There is no story ${group.story}`)
    const found = await exploreSchedules(
      story,
      group.acts.map((act) => acts[act]),
      { preemptions, reduced: true, hand: group.hand },
    )
    explored.push({ ...group, acts: [...group.acts], ...found })
  }
  return explored
}
