import { describeOrders } from '../orders/describeOrders.ts'
import { groupsOf } from '../orders/exploreOrders.ts'

/** Of the groups that the deep tests play, each so many-th. */
const EVERY = 160

describeOrders({
  what: 'Two operations',
  kind: '2',
  preemptions: '1',
  every: EVERY,
  groups: groupsOf(2, EVERY),
  orders: 'with at most one preemption; all of them in every order are in npm run test:deep',
})
