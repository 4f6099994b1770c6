import type { GuardMutant } from './guardMutant.ts'

const projection = 'lib/billing/slot/projection.ts'
const refundPolicy = 'lib/billing/slot/refundPolicy.ts'
const removal = 'lib/billing/slot/removeSubscription.ts'
const guard = 'only what is surely our own surplus is removed'

/** One rule of what counts as surplus, taken away. */
function anySurplus(name: string, ...mentions: string[]): GuardMutant {
  return {
    name,
    guard,
    edits: [{ file: refundPolicy, within: 'isSurplus', kind: 'operation', mentions, replacement: 'true' }],
    caughtBy: ['test/billing/slot/projection.test.ts'],
  }
}

/** The guards of refunding and canceling what should not exist beside the slot's own subscription. */
export const surplusMutants: readonly GuardMutant[] = [
  anySurplus('surplus-of-another-organization', 'organization_id', 'organizationId'),
  anySurplus('surplus-of-another-product', 'plan_code', 'planCodes'),
  anySurplus('surplus-that-was-raised-to', 'raisedTo', 'purchase'),
  {
    ...anySurplus('surplus-under-the-own-number'),
    guard: 'the number of the slot’s own is no surplus',
    edits: [
      {
        file: refundPolicy,
        within: 'isSurplus',
        kind: 'return',
        mentions: ['ofThisSlot', 'claimedHere'],
        replacement: 'return ofThisSlot && claimedHere && inTime',
      },
    ],
  },
  anySurplus('surplus-of-any-age', 'createdAt', 'DAY'),
  anySurplus('surplus-made-long-after', 'createdAt', 'QUIET_PERIOD'),
  {
    name: 'surplus-paid-more-than-once',
    guard,
    edits: [
      { file: refundPolicy, within: 'decideRefund', kind: 'if', mentions: ['paid', 'length', '1'], replacement: '' },
    ],
    caughtBy: ['test/billing/events/removeSurplus.test.ts', 'test/billing/events/projectEvent.test.ts'],
  },
  {
    name: 'surplus-beside-a-copy',
    guard,
    edits: [
      {
        file: refundPolicy,
        within: 'decideRefund',
        kind: 'operation',
        mentions: ['purchases', '1'],
        replacement: 'false',
      },
    ],
    caughtBy: ['test/billing/events/removeSurplus.test.ts'],
  },
  {
    name: 'raise-as-if-claimed',
    guard,
    edits: [
      {
        file: 'lib/billing/reconcile/raiseNumber.ts',
        within: 'raised',
        kind: 'return',
        mentions: ['n'],
        replacement: 'return { ...slot, n, rev: slot.rev + 1 }',
      },
    ],
    caughtBy: ['test/billing/reconcile/reconcile.test.ts'],
  },
  {
    name: 'adopt-as-if-claimed',
    guard,
    edits: [
      {
        file: 'lib/billing/slot/slotChange.ts',
        within: 'projected',
        kind: 'operation',
        mentions: ['n', 'raisedTo'],
        replacement: 'n > slot.n && { n }',
      },
    ],
    caughtBy: ['test/billing/slot/projection.test.ts', 'test/infra/operate/restoreDrill.deep.test.ts'],
  },
  {
    name: 'forget-what-was-raised',
    guard,
    edits: [
      {
        file: 'lib/billing/slot/slot.ts',
        within: 'claimed',
        kind: 'operation',
        mentions: ['raisedTo', 'undefined'],
        replacement: 'false',
      },
    ],
    caughtBy: ['test/billing/slot/projection.test.ts'],
    because: 'The innermost such place is the condition; without it nothing of the number is kept.',
  },
  {
    name: 'remove-after-a-restore',
    guard,
    edits: [
      {
        file: 'lib/billing/reconcile/repair.ts',
        within: 'removeSurplus',
        kind: 'if',
        mentions: ['adoptOnly'],
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/reconcile/repair.test.ts'],
  },
  {
    name: 'refund-before-the-end',
    guard: 'cancel first, then refund what is paid by then',
    edits: [
      {
        file: removal,
        within: 'cancelAndRefund',
        kind: 'constant',
        mentions: ['answer', 'cancelNow'],
        replacement: (code) => `await invoices.refundSubscription(id)\n  ${code}`,
      },
    ],
    caughtBy: ['test/billing/events/removeSurplus.test.ts'],
  },
  {
    name: 'leave-the-refund-unmarked',
    guard: 'cancel first, then refund what is paid by then',
    edits: [
      {
        file: removal,
        within: 'cancelAndRefund',
        kind: 'call',
        mentions: ['cancelNow', 'refund_due'],
        replacement: "purchases.cancelNow(id, { kind: 'asked', by: id } as never)",
      },
    ],
    caughtBy: ['test/billing/events/removeSurplus.test.ts'],
    because: 'Without the mark nothing makes up for a refund that a crash left out.',
  },
  {
    name: 'keep-a-late-payment-of-a-declined-purchase',
    guard: 'cancel first, then refund what is paid by then',
    edits: [
      {
        file: removal,
        within: 'cancelAndRefund',
        kind: 'constant',
        mentions: ['isDone', 'hasMoney'],
        replacement: 'const isDone = true',
      },
    ],
    caughtBy: ['test/billing/checkout/lostWrites.test.ts'],
  },
  {
    name: 'leave-the-invoice-of-a-declined-purchase-open',
    guard: 'a cancellation leaves nothing to be paid by card',
    edits: [
      {
        file: removal,
        within: 'cancelAndRefund',
        kind: 'call',
        mentions: ['hasMoney', 'answer'],
        replacement: 'answer.value.wasPaid',
      },
    ],
    caughtBy: ['test/billing/checkout/completePurchase.test.ts'],
  },
  {
    name: 'adopt-beside-the-own',
    guard: 'the slot’s own is fetched before another one is judged',
    edits: [
      {
        file: projection,
        within: 'project',
        kind: 'if',
        mentions: ['own', 'fetch_own'],
        replacement: 'if (own === undefined) return write(latest)',
      },
    ],
    caughtBy: ['test/billing/slot/projection.test.ts', 'test/billing/events/projectEvent.test.ts'],
  },
  {
    name: 'adopt-beside-an-unknown-one',
    guard: 'the slot’s own is fetched before another one is judged',
    edits: [
      {
        file: projection,
        within: 'project',
        kind: 'if',
        mentions: ['own', 'missing'],
        replacement: "if (own === 'missing') return write(latest)",
      },
    ],
    caughtBy: ['test/billing/slot/projection.test.ts', 'test/billing/events/projectEvent.test.ts'],
  },
]
