import { scheduled } from './columns.ts'
import type { Row } from './row.ts'

/** Facts for other systems: numbering and delivery. */
export const eventRows = [
  {
    name: 'events-relay',
    summary: 'Number the events that wait, and make their deliveries',
    ...scheduled('minute', 'outbox'),
    tables: { events: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
    indexes: ['due'],
    memoryMb: 256,
    timeoutSeconds: 60,
  },
  {
    name: 'events-deliver',
    summary: 'Send events to endpoints',
    ...scheduled('minute', 'deliveries'),
    // It sends to servers of strangers, so it may touch only its own table and key.
    tables: { events: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'] },
    indexes: ['due'],
    kms: { webhook: ['Decrypt'] },
    memoryMb: 256,
    timeoutSeconds: 60,
  },
] as const satisfies readonly Row[]
