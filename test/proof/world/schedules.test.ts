import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inNode } from '../../support/inNode.ts'
import {
  groupsByHand,
  groupsByInvoice,
  groupsOf,
  type OrdersExplored,
  ordersExplored,
  type Together,
} from './exploreOrders.ts'

describe.each([
  ['Two operations', '2', 'Infinity', 1, groupsOf(2), 'in every order of their calls'],
  [
    'Three operations',
    '3',
    '1',
    6,
    groupsOf(3, 6),
    'with at most one preemption; five sixths, and two preemptions, are left to npm run test:orders',
  ],
  [
    'Two operations on what is sent invoices',
    'invoice',
    'Infinity',
    4,
    groupsByInvoice(2, 4),
    'in every order of their calls; three quarters are left to npm run test:orders',
  ],
  [
    'An operation and what a person changes by hand',
    'hand',
    'Infinity',
    12,
    groupsByHand(12),
    'in every order of their calls; eleven twelfths are left to npm run test:orders',
  ],
] as const)('%s side by side', (what, kind, preemptions, every, groups, orders) => {
  let explored: OrdersExplored = []
  beforeAll(async () => {
    explored = await inNode('proof/world/runOrders.ts', [kind, preemptions, String(every)], ordersExplored)
  }, 400_000)
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
