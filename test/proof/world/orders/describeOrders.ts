import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inNode } from '../../../support/inNode.ts'
import { type OrdersExplored, ordersExplored, type Together } from './exploreOrders.ts'

/** Groups of acts that one process plays, as `runOrders.ts` is asked for them. */
interface Orders {
  /** What acts side by side. */
  what: string
  kind: '2' | '3' | 'invoice' | 'hand' | 'price'
  preemptions: '1' | 'Infinity'
  /** 1 for all of the groups, 3 for each third of them. */
  every: number
  groups: readonly Together[]
  /** In which orders, and what is left. */
  orders: string
}

/** Plays groups of acts in many orders of their calls, one test each, and prints how many orders that were. */
export function describeOrders({ what, kind, preemptions, every, groups, orders }: Orders): void {
  describe(`${what} side by side`, () => {
    let explored: OrdersExplored = []
    beforeAll(async () => {
      explored = await inNode('proof/world/orders/runOrders.ts', [kind, preemptions, String(every)], ordersExplored)
    }, 3_600_000)
    afterAll(() => {
      if (explored.length === 0) return
      const total = (of: 'schedules' | 'covered') => explored.reduce((sum, group) => sum + group[of], 0)
      process.stdout.write(
        `schedules: ${explored.length} groups (${what.toLowerCase()}) ${orders}, ${total('schedules')} schedules that differ, ` +
          `${total('covered')} left as played before\n`,
      )
    })
    const nameOf = ({ acts, hand }: { acts: readonly string[]; hand?: string | undefined }) =>
      (hand === undefined ? acts : [...acts, hand]).join(' beside ')
    const resultOf = (own: Together) =>
      explored.find((group) => group.story === own.story && nameOf(group) === nameOf(own))

    it.each(groups.map((group) => [nameOf(group), group.story, group] as const))(
      '%s, in the world of “%s”, keep every rule',
      (_acts, _story, group) => {
        expect(resultOf(group)).toMatchObject({ finding: null, schedules: expect.any(Number) })
      },
    )
  })
}
