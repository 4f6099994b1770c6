import { describeProjection } from './describeProjection.ts'

// The deep tests play every change, and deliver each event once as well, in both orders.
describeProjection(
  [{ name: 'three times each, in reverse order', order: 'lifo', copies: 3 }],
  ['a scheduled cancellation', 'a renewal', 'a purchase that its buyer authenticated'],
)
