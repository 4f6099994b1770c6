import { describeOrders } from '../orders/describeOrders.ts'
import { groupsByHand, groupsByInvoice, groupsByPrice, groupsOf } from '../orders/exploreOrders.ts'

describeOrders({
  what: 'Two operations',
  kind: '2',
  preemptions: 'Infinity',
  every: 1,
  groups: groupsOf(2),
  orders: 'in every order of their calls',
})

describeOrders({
  what: 'Three operations',
  kind: '3',
  preemptions: '1',
  every: 6,
  groups: groupsOf(3, 6),
  orders: 'with at most one preemption; five sixths, and two preemptions, are left to npm run test:orders',
})

describeOrders({
  what: 'Two operations on what is sent invoices',
  kind: 'invoice',
  preemptions: 'Infinity',
  every: 4,
  groups: groupsByInvoice(2, 4),
  orders: 'in every order of their calls; three quarters are left to npm run test:orders',
})

describeOrders({
  what: 'An operation and what a person changes by hand',
  kind: 'hand',
  preemptions: 'Infinity',
  every: 12,
  groups: groupsByHand(12),
  orders: 'in every order of their calls; eleven twelfths are left to npm run test:orders',
})

describeOrders({
  what: 'A purchase at the prices shown and their change',
  kind: 'price',
  preemptions: 'Infinity',
  every: 1,
  groups: groupsByPrice(),
  orders: 'in every order of their calls',
})
