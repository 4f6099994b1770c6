import type { GuardMutant } from './guardMutant.ts'

const unfenced = `let conflict = await deps.records.commit(change)
  const winner = conflict?.slot
  if (winner) conflict = await deps.records.commit({ ...change, next: { ...change.next, rev: winner.rev + 1 } })
`
/** What is made up of a subscription that is not fetched. */
const unread = `currentPeriodEnd: null,
    cancelAt: null,
    endedAt: null,
    invoiceId: null,
    invoicePaidAt: null,
    wasPaid: true,
    payment: { kind: 'none' as const },
    refundDue: false,
    requested: null,`

/** The guards of what is written down: settling, projecting and canceling. */
export const recordMutants: readonly GuardMutant[] = [
  {
    name: 'settle-over-the-winner',
    guard: 'settle on the rev of the claim',
    file: 'lib/billing/slot/slotChange.ts',
    within: 'commitChange',
    kind: 'constant',
    mentions: ['conflict', 'commit'],
    replacement: unfenced.replaceAll('deps.records', 'records'),
    caughtBy: ['test/billing/checkout/failures/settleFence.test.ts'],
  },
  {
    name: 'write-without-the-fence',
    guard: 'settle on the rev of the claim',
    file: 'lib/adapters/dynamodb/slotStore.ts',
    within: 'putSlot',
    kind: 'member',
    mentions: ['ConditionExpression'],
    replacement: "ConditionExpression: next.rev === 1 ? 'attribute_not_exists(pk)' : 'rev >= :read OR rev < :read'",
    caughtBy: ['test/billing/events/webhookFaults.deep.test.ts'],
    because: 'The fence itself: settling and projecting write through the same condition.',
  },
  {
    name: 'project-over-the-winner',
    guard: 'the projection compares and sets',
    file: 'lib/billing/events/projectSubscription.ts',
    within: 'write',
    kind: 'constant',
    mentions: ['conflict', 'commitChange'],
    replacement: unfenced,
    caughtBy: ['test/billing/events/webhookFaults.deep.test.ts'],
  },
  {
    name: 'believe-the-event',
    guard: 'the projection fetches the latest',
    file: 'lib/billing/events/projectSubscription.ts',
    within: 'readSlotAndLatest',
    kind: 'constant',
    mentions: ['latest', 'fetchLatest'],
    replacement: `const latest = {
    id: event.subscriptionId,
    status: event.type === 'customer.subscription.deleted' ? ('canceled' as const) : ('active' as const),
    customerId: event.customerId,
    purchase: event.purchase,
    createdAt: event.created,
    ${unread}
    coveredUntil: event.created,
  } as Awaited<ReturnType<typeof fetchLatest>>`,
    caughtBy: ['test/billing/events/webhookFaults.deep.test.ts'],
  },
  {
    name: 'project-any-subscription',
    guard: 'the projection is guarded by subscription id',
    file: 'lib/billing/slot/projection.ts',
    within: 'project',
    kind: 'operation',
    mentions: ['known', 'latest'],
    replacement: 'true',
    caughtBy: ['test/billing/slot/projection.test.ts', 'test/proof/model/modelMatchesCode.deep.test.ts'],
  },
  {
    name: 'settle-any-purchase',
    guard: 'the projection is guarded by subscription id',
    file: 'lib/billing/slot/projection.ts',
    within: 'project',
    kind: 'operation',
    mentions: ['pending', 'n'],
    replacement: "slot.state === 'pending'",
    caughtBy: ['test/billing/slot/projection.test.ts', 'test/proof/model/modelMatchesCode.deep.test.ts'],
  },
  {
    name: 'free-before-the-gateway',
    guard: 'cancel at the gateway first',
    file: 'lib/billing/subscriptions/cancel.ts',
    within: 'cancelHeld',
    kind: 'constant',
    mentions: ['subscription', 'cancelIt'],
    replacement: (code) => `await record(deps, slot, {
    id: subscriptionId,
    status: 'canceled',
    customerId: '',
    purchase: null,
    createdAt: 0,
    ${unread}
    coveredUntil: slot.subscription?.coveredUntil ?? 0,
  })
  ${code}`,
    caughtBy: ['test/billing/subscriptions/cancel/cancelFaults.deep.test.ts'],
  },
]
