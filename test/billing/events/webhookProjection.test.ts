import { describeProjection } from './describeProjection.ts'

// The deep tests deliver each event once, in both orders.
describeProjection([{ name: 'three times each, in reverse order', order: 'lifo', copies: 3 }])
