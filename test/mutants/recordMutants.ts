import type { GuardMutant } from './guardMutants.ts'

const projectEvent = 'lib/billing/projectEvent.ts'
const unfenced = `  let conflict = await deps.records.commit([change])
  const stands = conflict?.slots[0]
  if (stands) conflict = await deps.records.commit([{ ...change, next: { ...change.next, rev: stands.rev + 1 } }])
`

/** The guards of what is written down: settling, projecting and cancelling. */
export const recordMutants: readonly GuardMutant[] = [
  {
    name: 'settle-over-whatever-stands',
    guard: 'settle on the rev of the claim',
    edits: [
      {
        file: 'lib/billing/completePurchase.ts',
        original: '  const conflict = await deps.records.commit([change])\n',
        replacement: unfenced,
      },
    ],
    caughtBy: ['test/billing/settleFence.test.ts'],
  },
  {
    name: 'write-without-the-fence',
    guard: 'settle on the rev of the claim',
    edits: [
      {
        file: 'lib/adapters/dynamodb/slot.ts',
        original: "'attribute_not_exists(pk)' : 'rev = :read'",
        replacement: "'attribute_not_exists(pk)' : 'rev >= :read OR rev < :read'",
      },
    ],
    caughtBy: ['test/billing/webhookFaults.test.ts'],
    because: 'The fence itself: settling and projecting write through the same condition.',
  },
  {
    name: 'project-over-whatever-stands',
    guard: 'the projection compares and sets',
    edits: [
      {
        file: projectEvent,
        original: '  const committed = (await deps.records.commit([change])) === null\n',
        replacement: `${unfenced}  const committed = conflict === null\n`,
      },
    ],
    caughtBy: ['test/billing/webhookFaults.test.ts'],
  },
  {
    name: 'believe-the-event',
    guard: 'the projection fetches the latest',
    edits: [
      {
        file: projectEvent,
        original: 'const latest = await deps.gateway.fetchSubscription(event.subscriptionId)',
        replacement: `const latest = {
    kind: 'ok' as const,
    value: {
      id: event.subscriptionId,
      status: event.type === 'customer.subscription.deleted' ? ('canceled' as const) : ('active' as const),
      customerId: event.customerId,
      purchase: event.purchase,
      currentPeriodEnd: null,
      cancelAt: null,
      endedAt: null,
      invoiceId: null,
      invoicePaid: true,
      firstPayment: { kind: 'none' as const },
      asOf: event.created,
    },
  } as Awaited<ReturnType<typeof deps.gateway.fetchSubscription>>`,
      },
    ],
    caughtBy: ['test/billing/webhookFaults.test.ts'],
  },
  {
    name: 'project-any-subscription',
    guard: 'the projection is guarded by subscription id',
    edits: [
      {
        file: 'lib/billing/projection.ts',
        original: "if (slot.subscription?.id === latest.id && slot.state !== 'pending') return write",
        replacement: "if (slot.state !== 'pending') return write",
      },
    ],
    caughtBy: ['test/billing/projection.test.ts', 'test/model/modelMatchesCode.test.ts'],
  },
  {
    name: 'settle-any-purchase',
    guard: 'the projection is guarded by subscription id',
    edits: [
      {
        file: 'lib/billing/projection.ts',
        original: "if (slot.state === 'pending' && slot.n === n) {",
        replacement: "if (slot.state === 'pending') {",
      },
    ],
    caughtBy: ['test/billing/projection.test.ts', 'test/model/modelMatchesCode.test.ts'],
  },
  {
    name: 'free-before-the-gateway',
    guard: 'cancel at the gateway first',
    edits: [
      {
        file: 'lib/billing/cancel.ts',
        original: '  const subscription = await cancelAtGateway(',
        replacement: `  const { id, currentPeriodEnd, cancelAt, endedAt, gatewayClock: asOf } = slot.subscription
  await record(deps, slot, {
    id,
    status: 'canceled',
    customerId: '',
    purchase: null,
    currentPeriodEnd,
    cancelAt,
    endedAt,
    invoiceId: null,
    invoicePaid: true,
    firstPayment: { kind: 'none' },
    asOf,
  })
  const subscription = await cancelAtGateway(`,
      },
    ],
    caughtBy: ['test/billing/cancelFaults.test.ts'],
  },
]
