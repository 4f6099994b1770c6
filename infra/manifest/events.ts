import type { Row } from './row.ts'

/** Facts for other systems: numbering and delivery. */
export const eventRows = [
  {
    name: 'events-relay',
    summary: 'Number the events that wait, and make their deliveries',
    trigger: { kind: 'schedule', every: 'minute', stream: 'outbox' },
    caller: 'schedule',
    samples: { served: 'every-minute' },
    tables: { events: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
    indexes: ['due'],
    memoryMb: 256,
    timeoutSeconds: 60,
  },
] as const satisfies readonly Row[]
