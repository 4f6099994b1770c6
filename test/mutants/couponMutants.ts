import type { GuardMutant } from './guardMutants.ts'

/** The guards of a coupon. */
export const couponMutants: readonly GuardMutant[] = [
  {
    name: 'claim-without-reserving',
    guard: 'reserved in the transaction of the claim',
    edits: [
      {
        file: 'lib/billing/claim.ts',
        original: 'change: { next, ...(redemption && { redemption }) }',
        replacement: 'change: { next }',
      },
    ],
    caughtBy: ['test/billing/couponOnce.test.ts'],
  },
  {
    name: 'reserve-what-is-held',
    guard: 'reserved in the transaction of the claim',
    edits: [
      {
        file: 'lib/adapters/dynamodb/couponRedemption.ts',
        original: "Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' }",
        replacement: 'Put: { TableName: table, Item }',
      },
    ],
    caughtBy: ['test/billing/couponOnce.test.ts'],
    because: 'Reserving in the transaction protects nothing where the reservation of another purchase is overwritten.',
  },
  {
    name: 'free-without-releasing',
    guard: 'released in the transaction that frees the slot',
    edits: [
      {
        file: 'lib/billing/slotChange.ts',
        original: "changeOf(slot, released(slot), 'release', now)",
        replacement: 'changeOf(slot, released(slot), null, now)',
      },
    ],
    caughtBy: ['test/billing/couponGivenBack.test.ts'],
  },
  {
    name: 'expire-without-releasing',
    guard: 'released in the transaction that frees the slot',
    edits: [
      {
        file: 'lib/billing/slotChange.ts',
        original: "if (unpaidSoFar && isEnded(subscription.status) && !subscription.invoicePaid) return 'release'",
        replacement: '',
      },
    ],
    caughtBy: ['test/billing/projection.test.ts', 'test/billing/couponGivenBack.test.ts'],
  },
  {
    name: 'let-redemptions-expire',
    guard: 'never freed by an expiry',
    edits: [
      {
        file: 'lib/adapters/dynamodb/tables.ts',
        original: "localName: 'billing',",
        replacement: "localName: 'billing',\n    timeToLiveAttribute: 'expiresAt',",
      },
    ],
    caughtBy: ['test/billing/neverExpires.test.ts'],
    because: 'What must not be there has no place: the mutant switches the expiry on, the next one sets a time.',
  },
  {
    name: 'give-redemptions-a-time',
    guard: 'never freed by an expiry',
    edits: [
      {
        file: 'lib/adapters/dynamodb/couponRedemption.ts',
        original: '    couponId: redemption.coupon.id,\n',
        replacement: '    couponId: redemption.coupon.id,\n    expiresAt: Math.floor(Date.now() / 1000) + 86_400,\n',
      },
    ],
    caughtBy: ['test/billing/neverExpires.test.ts'],
  },
  {
    name: 'buy-anew-after-a-lost-write',
    guard: 'buy anew only on a projection that stands',
    edits: [
      {
        file: 'lib/billing/resume.ts',
        original: 'return (await context.deps.records.commit([change])) === null ? change.next : null',
        replacement: 'await context.deps.records.commit([change])\n  return change.next',
      },
    ],
    caughtBy: ['test/billing/lostWrites.test.ts'],
  },
]
