import type { GuardMutant } from './guardMutant.ts'

const relay = 'lib/events/relay/relayEvents.ts'
const events = 'lib/adapters/dynamodb/eventStore.ts'
const queue = 'lib/adapters/dynamodb/deliveryStore.ts'
const deliver = 'lib/events/delivery/deliver.ts'
const runs = 'lib/events/delivery/runDeliveries.ts'
const endpoints = 'lib/adapters/dynamodb/endpointStore.ts'

const storyTest = 'test/proof/events/eventFaults.deep.test.ts'
const relayTest = 'test/events/relay.test.ts'
const outboxTest = 'test/adapters/dynamodb/outboxStore.test.ts'
const queueTest = 'test/events/delivery/deliveryQueue.test.ts'
const deliverTest = 'test/events/delivery/deliver.test.ts'
const runsTest = 'test/events/delivery/runDeliveries.test.ts'
const endpointTest = 'test/events/endpoints/endpoints.test.ts'
const changesTest = 'test/events/endpoints/changes.test.ts'

/** The guards of events: their numbers, their deliveries, and what owners do with endpoints. */
export const eventMutants: readonly GuardMutant[] = [
  {
    name: 'number-events-by-their-times-alone',
    guard: 'a subject’s events have the order of its revisions',
    edits: [
      {
        file: 'lib/events/relay/orderEvents.ts',
        within: 'orderEvents',
        kind: 'return',
        mentions: ['flatMap', 'shift'],
        replacement: 'return bySubject ? byTime : []',
      },
    ],
    caughtBy: [relayTest],
  },
  {
    name: 'count-events-without-a-look-at-the-count',
    guard: 'a number is given once',
    edits: [
      {
        file: events,
        within: 'relayWrites',
        kind: 'text',
        mentions: ['#last = :before'],
        replacement: "'attribute_exists(pk) AND :before = :before'",
      },
    ],
    caughtBy: [outboxTest],
  },
  {
    name: 'number-an-event-that-no-longer-waits',
    guard: 'an event is numbered once',
    edits: [
      {
        file: events,
        within: 'relayWrites',
        kind: 'member',
        mentions: ['outbox', 'outboxKey'],
        replacement: 'outbox: { Delete: { TableName, Key: outboxKey(draft) } }',
      },
    ],
    caughtBy: [outboxTest],
  },
  {
    name: 'deliver-to-endpoints-that-are-disabled',
    guard: 'a disabled endpoint gets nothing',
    edits: [
      {
        file: relay,
        within: 'wants',
        kind: 'return',
        mentions: ['enabled'],
        replacement: 'return eventTypes === null || eventTypes.includes(type)',
      },
    ],
    caughtBy: [relayTest],
  },
  {
    name: 'send-to-endpoints-that-were-disabled',
    guard: 'a disabled endpoint gets nothing',
    edits: [
      {
        file: deliver,
        within: 'deliver',
        kind: 'if',
        mentions: ['enabled', 'GIVE_UP_AFTER'],
        replacement: (code) => code.replace('!endpoint?.enabled', 'endpoint === undefined'),
      },
    ],
    caughtBy: [deliverTest],
  },
  {
    name: 'claim-a-delivery-that-another-worker-has',
    guard: 'one worker tries a delivery',
    edits: [
      {
        file: queue,
        within: 'claim',
        kind: 'text',
        mentions: ['#status = :pending AND dueAt <= :now'],
        replacement: "'#status = :pending AND :now = :now'",
      },
    ],
    caughtBy: [queueTest],
  },
  {
    name: 'claim-a-delivery-that-is-settled',
    guard: 'one worker tries a delivery',
    edits: [
      {
        file: queue,
        within: 'claim',
        kind: 'text',
        mentions: ['#status = :pending AND dueAt <= :now'],
        replacement: "'#status <> :now AND :pending = :pending'",
      },
    ],
    caughtBy: [queueTest],
  },
  {
    name: 'settle-a-delivery-that-another-worker-has',
    guard: 'a lapsed claim settles nothing',
    edits: [
      { file: queue, within: 'settle', kind: 'constant', mentions: ['isOwn'], replacement: "const isOwn: string = ''" },
    ],
    caughtBy: [queueTest],
  },
  {
    name: 'serve-an-endpoint-by-any-number-of-runs',
    guard: 'two runs serve an endpoint',
    edits: [
      {
        file: queue,
        within: 'takeTurn',
        kind: 'member',
        mentions: ['ConditionExpression', 'place'],
        replacement: "ConditionExpression: 'attribute_exists(pk) AND :now = :now'",
      },
    ],
    caughtBy: [queueTest],
  },
  {
    name: 'disable-an-endpoint-that-has-another-address',
    guard: 'only what failed is disabled',
    edits: [
      {
        file: queue,
        within: 'disable',
        kind: 'member',
        mentions: ['ConditionExpression', 'isFailing'],
        replacement: (code) => code.replace('#url = :url', ':url = :url AND attribute_exists(#url)'),
      },
    ],
    caughtBy: [queueTest],
  },
  {
    name: 'settle-before-the-endpoint-is-noted',
    guard: 'a failure is noted at the endpoint first',
    edits: [
      {
        file: deliver,
        within: 'note',
        kind: 'call',
        mentions: ['noteTrouble', 'failedAt'],
        replacement: 'Promise.resolve()',
      },
    ],
    caughtBy: [deliverTest, storyTest],
  },
  {
    name: 'try-a-delivery-for-ever',
    guard: 'a delivery ends after five days',
    edits: [
      {
        file: 'lib/events/delivery/retrySchedule.ts',
        within: 'nextTry',
        kind: 'return',
        mentions: ['end'],
        replacement: "return { kind: 'try', at: end > 0 ? at : end }",
      },
    ],
    caughtBy: [deliverTest],
  },
  {
    name: 'sign-with-a-secret-whose-day-is-over',
    guard: 'a former secret signs for a day',
    edits: [
      {
        file: deliver,
        within: 'attempt',
        kind: 'constant',
        mentions: ['ciphers', 'previous'],
        replacement: 'const ciphers = previous !== undefined && at > 0 ? [secret, previous.secret] : [secret]',
      },
    ],
    caughtBy: [deliverTest],
  },
  {
    name: 'let-the-stream-wait-for-an-endpoint-again',
    guard: 'no endpoint delays another',
    edits: [{ file: runs, within: 'begin', kind: 'if', mentions: ['isTroubled', 'stream'], replacement: '' }],
    caughtBy: [runsTest],
  },
  {
    name: 'give-every-lane-to-endpoints-in-trouble',
    guard: 'no endpoint delays another',
    edits: [
      {
        file: runs,
        within: 'nextVisit',
        kind: 'operation',
        mentions: ['isTroubled', 'TROUBLED_LANES'],
        replacement: '(isTroubled || TROUBLED_LANES > 0)',
      },
    ],
    caughtBy: [runsTest],
  },
  {
    name: 'make-an-eleventh-endpoint',
    guard: 'an owner has ten endpoints',
    edits: [
      {
        file: endpoints,
        within: 'create',
        kind: 'call',
        mentions: ['countIn', 'MAX_ENDPOINTS'],
        replacement: 'countIn(countOf(TableName, owner), MAX_ENDPOINTS + 1)',
      },
    ],
    caughtBy: [endpointTest],
  },
  {
    name: 'send-a-test-to-an-endpoint-disabled-meanwhile',
    guard: 'a disabled endpoint gets nothing',
    edits: [
      {
        file: 'lib/adapters/dynamodb/endpointDeliveryStore.ts',
        within: 'checkEnabled',
        kind: 'text',
        mentions: ['enabled = :true'],
        replacement: "'enabled <> :true OR enabled = :true'",
      },
    ],
    caughtBy: [changesTest],
  },
  {
    name: 'promise-a-test-to-a-disabled-endpoint',
    guard: 'a disabled endpoint gets nothing',
    edits: [
      {
        file: 'lib/events/endpoints/endpointDeps.ts',
        within: 'openEnabledEndpoint',
        kind: 'if',
        mentions: ['enabled'],
        replacement: '',
      },
    ],
    caughtBy: [changesTest],
  },
  {
    name: 'keep-the-failures-of-an-endpoint-that-is-enabled',
    guard: 'an endpoint begins anew',
    edits: [
      {
        file: endpoints,
        within: 'change',
        kind: 'constant',
        mentions: ['removals', 'failingSince'],
        replacement: 'const removals = isNew ? [...emptied] : emptied',
      },
    ],
    caughtBy: [changesTest],
  },
  {
    name: 'change-to-any-address',
    guard: 'an address is checked when it is given',
    edits: [
      {
        file: 'lib/events/endpoints/changeEndpoint.ts',
        within: 'changeEndpoint',
        kind: 'if',
        mentions: ['requireUsableUrl'],
        replacement: '',
      },
    ],
    caughtBy: [changesTest],
  },
]
