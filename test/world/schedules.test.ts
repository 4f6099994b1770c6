import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inNode } from '../support/inNode.ts'
import { groupsOf, type OrdersExplored, ordersExplored, type Together } from './exploreOrders.ts'

describe.each([
  ['Two operations', 2, 'Infinity', 1, 'in every order of their calls'],
  [
    'Three operations',
    3,
    '1',
    3,
    'with at most one preemption; two thirds, and two preemptions, are left to npm run test:orders',
  ],
] as const)('%s side by side', (_, size, preemptions, every, orders) => {
  let explored: OrdersExplored = []
  beforeAll(async () => {
    explored = await inNode('world/runOrders.ts', [String(size), preemptions, String(every)], ordersExplored)
  }, 400_000)
  afterAll(() => {
    if (explored.length === 0) return
    const total = (of: 'schedules' | 'covered') => explored.reduce((sum, group) => sum + group[of], 0)
    process.stdout.write(
      `schedules: ${explored.length} groups of ${size} operations ${orders}, ${total('schedules')} schedules that differ, ` +
        `${total('covered')} left as played before\n`,
    )
  })
  const resultOf = ({ story, acts }: Together) =>
    explored.find((group) => group.story === story && group.acts.join() === acts.join())

  it.each(groupsOf(size, every).map((group) => [group.acts.join(' beside '), group.story, group] as const))(
    '%s, in the world of “%s”, keep every rule',
    (_acts, _story, group) => {
      expect(resultOf(group)).toMatchObject({ finding: null, schedules: expect.any(Number) })
    },
  )
})
