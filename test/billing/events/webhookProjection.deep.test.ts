import { describeProjection } from './describeProjection.ts'

describeProjection([
  { name: 'in order', order: 'fifo', copies: 1 },
  { name: 'in reverse order', order: 'lifo', copies: 1 },
  { name: 'three times each, in reverse order', order: 'lifo', copies: 3 },
])
